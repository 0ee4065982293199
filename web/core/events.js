// Follows the service's events. One stream a tab, and none for a tab that nobody has looked at for a minute: a browser
// allows six connections a host, and a stream of sound needs one of them.
import { set, get } from './store.js';

const names = ['hello', 'title', 'station', 'stations', 'player', 'position', 'recording', 'recording-title', 'recording-gap',
  'recording-disk', 'recording-track', 'schedule', 'schedules', 'listening', 'queue', 'filters', 'shows', 'bookmarks', 'history', 'thumbs', 'dial', 'favourites'];

const listeners = new Map();
let source = null;
let hiddenSince = null;

/** Calls back with the data of each event of this name. */
export function on(name, callback) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(callback);
  return () => listeners.get(name).delete(callback);
}

function tell(name, data) {
  for (const listener of listeners.get(name) ?? []) listener(data);
}

export function follow() {
  if (source) return;
  source = new EventSource('/api/v1/events');
  source.addEventListener('open', () => set('online', true));
  source.addEventListener('error', () => set('online', false));
  for (const name of names) {
    source.addEventListener(name, (event) => {
      let data;
      try { data = JSON.parse(event.data); } catch { return; }
      tell(name, data);
    });
  }
}

function leave() {
  source?.close();
  source = null;
}

document.addEventListener('visibilitychange', () => {
  hiddenSince = document.hidden ? Date.now() : null;
  if (!document.hidden) follow();
});
setInterval(() => {
  // A tab that plays needs its titles, looked at or not.
  if (hiddenSince && Date.now() - hiddenSince > 60_000 && !get('sounding')) leave();
}, 10_000);

addEventListener('online', () => { leave(); follow(); });
addEventListener('offline', () => set('online', false));
