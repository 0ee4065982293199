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

/** The address of the screen that is shown. */
let shown = '';
const here = () => location.pathname + location.search;

export function go(to, { replace = false } = {}) {
  // What lies over the screen goes first.
  const over = history.state?.layer ?? 0;
  if (over && !isLeaving) leave(over);
  whenStill(() => {
    // Something may have been opened meanwhile.
    if (history.state?.layer) return go(to, { replace });
    const address = path(to);
    if (address === here()) return;
    history[replace ? 'replaceState' : 'pushState']({ depth: (history.state?.depth ?? 0) + (replace ? 0 : 1) }, '', address);
    show();
  });
}

/** The same screen has another address now, as one that holds what was typed. */
export function stay(to) {
  // The entry on top is that of what lies over the screen.
  if (history.state?.layer || isLeaving) { renamed = to; return; }
  history.replaceState(history.state, '', path(to));
  shown = here();
}
let renamed = null;

// MARK: What lies over the screen

/** The player on a phone, a sheet: the newest last, each with what closes it. Back closes the newest, as everywhere on a phone. */
const layers = [];
/** Entries of what was closed are being taken off the history, which takes a moment; then come those who wait for it. */
let isLeaving = false;
const waiting = [];
/** No browser takes so long, in milliseconds. */
const patience = 1000;
let giveUp = 0;

function leave(count) {
  isLeaving = true;
  giveUp = setTimeout(popped, patience);
  history.go(-count);
}

function whenStill(job) { if (isLeaving) waiting.push(job); else job(); }

/** Something opens over the screen; `close` is called where somebody goes back. Gives what is to be called once it was closed otherwise. */
export function layer(close) {
  const mine = { close, number: 0 };
  layers.push(mine);
  whenStill(() => layers.includes(mine) && place(mine));
  return () => {
    const index = layers.indexOf(mine);
    if (index < 0) return;
    layers.splice(index, 1);
    // Only once all is done that is done now: it may lead to another screen, or open something else.
    setTimeout(settle);
  };
}

function place(mine) {
  const top = history.state?.layer ?? 0;
  // What was closed just now leaves its entry to what opens in its place.
  const isFree = top > 0 && !layers.some(({ number }) => number === top);
  mine.number = isFree ? top : top + 1;
  if (!isFree) history.pushState({ depth: (history.state?.depth ?? 0) + 1, layer: mine.number }, '');
}

/** Leaves the entries of what is not there any more: it was closed, or somebody went forward to it. */
function settle() {
  const dead = (history.state?.layer ?? 0) - Math.max(0, ...layers.map(({ number }) => number));
  if (dead > 0 && !isLeaving) leave(dead);
}

function popped() {
  clearTimeout(giveUp);
  isLeaving = false;
  const open = history.state?.layer ?? 0;
  while (layers.length && layers.at(-1).number > open) layers.pop().close();
  settle();
  if (renamed !== null && !open) {
    const to = renamed;
    renamed = null;
    if (here() === shown) stay(to);
  }
  if (here() !== shown) show();
  if (!isLeaving) for (const job of waiting.splice(0)) job();
}

/** Back where there is something to go back to, else up. */
export function back(up = '/') {
  if (history.state?.depth > 0) history.back(); else go(up, { replace: true });
}

export function show() {
  shown = here();
  set('route', { ...match(location.pathname), search: new URLSearchParams(location.search) });
}

/** A link to a screen. Plain clicks stay in the page; everything else is the browser's. */
export function follow(event) {
  const link = event.composedPath().find((each) => each.matches?.('a[href]'));
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || link.target) return;
  const address = new URL(link.href, location.href);
  if (address.origin !== location.origin || !address.pathname.startsWith(base + '/')) return;
  event.preventDefault();
  go(address.pathname.slice(base.length) + address.search);
}

addEventListener('popstate', popped);
// After a reload nothing lies over the screen.
settle();
