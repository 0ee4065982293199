// The beginning: what is known is fetched, the events are followed, the shell comes to life.
import { api, query } from './core/api.js';
import { follow, followAnew, unfollow, on } from './core/events.js';
import { get, set, kept } from './core/store.js';
import { isGuest, may } from './core/role.js';
import { player } from './core/player.js';
import './core/media-session.js';
import './core/keys.js';
import './parts/app-shell.js';

document.documentElement.dataset.theme = kept.get('theme', 'dark');

/** The stations the page knows by id: favourites and what was looked at; the catalogue itself stays at the service. */
set('stations', new Map());

/** Favourites in the order that somebody gave them; new ones last. */
async function inOrder(stations) {
  const { stations: order } = await api.peek('favourites').catch(() => ({ stations: [] }));
  const place = (station) => { const at = order.indexOf(station.id); return at < 0 ? order.length : at; };
  return [...stations].sort((a, b) => place(a) - place(b));
}

async function loadFavourites() {
  try {
    const { stations } = await api.peek('stations' + query({ favourites: 1, limit: 1000 }));
    const known = new Map(get('stations'));
    for (const [id, station] of known) if (station.favourite && !stations.some((each) => each.id === id)) known.set(id, { ...station, favourite: false });
    for (const station of stations) known.set(station.id, station);
    set('stations', known);
    set('favourites', await inOrder(stations));
  } catch { set('favourites', get('favourites') ?? []); }
}

/** Who this browser is to the service. Where there is none of its API, as on an address for listening alone, it is a guest's. */
async function loadSession() {
  try {
    const session = await api.peek('session');
    // Cut off in the middle, as by leaving the page, it is no answer.
    if (!session) return;
    if (JSON.stringify(session) !== JSON.stringify(get('session'))) set('session', session);
  } catch (error) {
    // Only where there is no such address there is no API; whatever else went wrong is asked again.
    if (error.status !== 404) { setTimeout(() => { if (!get('session')) loadSession(); }, 5000); return; }
    set('session', { role: 'anyone', isListenOnly: true });
  }
  if (isGuest()) unfollow();
  // Whoever may not lead the service's player, guests too, would press buttons that are refused.
  if (get('player').where === 'there' && !may('operator')) player.setWhere('here');
}

/** A link with a code pairs this browser; behind the `#` it never left it. */
async function pairFromLink() {
  const code = /^#pair=([A-Za-z0-9-]{4,20})$/.exec(location.hash)?.[1];
  if (!code) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  const { pair } = await import('./core/pairing.js');
  await pair(code);
}

// Opened in a tab that shows this page already, a link changes nothing but what is behind its `#`.
addEventListener('hashchange', pairFromLink);

on('stations', loadFavourites);
on('favourites', loadFavourites);
on('again', loadFavourites);
on('hello', () => { if (!get('session')) loadSession(); });
// Whom the service takes this browser for may have changed without a word here: forgotten by an admin, it is refused from then on.
on('again', loadSession);
document.addEventListener('needs-pairing', loadSession);

/** The cookie is the whole browser's: its other tabs are somebody else, too. */
const tabs = new BroadcastChannel('aircheck-session');
const sessionChanged = async () => { await loadSession(); loadFavourites(); followAnew(); };
document.addEventListener('session-changed', () => { tabs.postMessage(''); sessionChanged(); });
tabs.addEventListener('message', sessionChanged);

await pairFromLink();
loadSession();
loadFavourites();
follow();

if (window.isSecureContext && 'serviceWorker' in navigator) {
  const address = '/player/sw.js';
  const policy = window.trustedTypes?.createPolicy('aircheck', { createScriptURL: (text) => { if (text !== address) throw new TypeError('not our worker'); return text; } });
  navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address, { scope: '/player/' }).catch(() => {});
  // What this visit fetches stands without a network from now on, the first visit included, and what is still on its way.
  navigator.serviceWorker.ready.then(({ active }) => {
    const tell = (list) => {
      const files = list.getEntries().map(({ name }) => name).filter((name) => name.startsWith(`${location.origin}/player/`) && !name.endsWith(address));
      if (files.length) active?.postMessage({ files });
    };
    new PerformanceObserver(tell).observe({ type: 'resource', buffered: true });
  });
}
