// Which screen is shown: the address says it, so that it can be kept, sent and gone back from.
import { set } from './store.js';

const base = '/player';

/** The screens and the modules that draw them; fetched when they are first asked for. */
const table = [
  [/^\/?$/, 'for-you', () => import('../screens/for-you.js')],
  [/^\/radio$/, 'radio', () => import('../screens/radio.js')],
  [/^\/recordings$/, 'recordings', () => import('../screens/recordings.js')],
  [/^\/recordings\/show\/(.+)$/, 'recordings', () => import('../screens/show.js')],
  [/^\/recordings\/filter\/(.+)$/, 'recordings', () => import('../screens/filter.js')],
  [/^\/recordings\/schedules$/, 'recordings', () => import('../screens/schedules.js')],
  [/^\/recordings\/stats$/, 'recordings', () => import('../screens/stats.js')],
  [/^\/recordings\/([^/]+)$/, 'recordings', () => import('../screens/recording.js')],
  [/^\/search$/, 'search', () => import('../screens/search.js')],
  [/^\/discover(?:\/(.+))?$/, 'search', () => import('../screens/discover.js')],
  [/^\/library$/, 'library', () => import('../screens/library.js')],
  [/^\/history$/, 'library', () => import('../screens/history.js')],
  [/^\/queue$/, 'library', () => import('../screens/up-next.js')],
  [/^\/collection$/, 'library', () => import('../screens/collection.js')],
  [/^\/settings$/, 'library', () => import('../screens/settings.js')],
  [/^\/station\/([^/]+)\/settings$/, 'radio', () => import('../screens/station-settings.js')],
  [/^\/station\/([^/]+)$/, 'radio', () => import('../screens/station.js')],
  [/^\/car$/, 'recordings', () => import('../screens/car.js')],
];

export const path = (to) => base + (to.startsWith('/') ? to : `/${to}`);

function decode(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

/** The route of an address; the first screen for one that is unknown. */
function match(pathname) {
  const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
  for (const [pattern, tab, load] of table) {
    const found = pattern.exec(below);
    if (found) return { tab, load, key: below || '/', parameters: found.slice(1).map((part) => part && decode(part)) };
  }
  return { ...match(base + '/'), isUnknown: true };
}

export function go(to, { replace = false } = {}) {
  const address = path(to);
  if (address === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState']({ depth: (history.state?.depth ?? 0) + (replace ? 0 : 1) }, '', address);
  show();
}

/** Back where there is something to go back to, else up. */
export function back(up = '/') {
  if (history.state?.depth > 0) history.back(); else go(up, { replace: true });
}

export function show() { set('route', { ...match(location.pathname), search: new URLSearchParams(location.search) }); }

/** A link to a screen. Plain clicks stay in the page; everything else is the browser's. */
export function follow(event) {
  const link = event.composedPath().find((each) => each.matches?.('a[href]'));
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || link.target) return;
  const address = new URL(link.href, location.href);
  if (address.origin !== location.origin || !address.pathname.startsWith(base + '/')) return;
  event.preventDefault();
  go(address.pathname.slice(base.length) + address.search);
}

addEventListener('popstate', show);
