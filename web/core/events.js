// Follows the service's events. One stream a tab, and none for a tab that nobody has looked at for a minute: a browser
// allows six connections a host, and a stream of sound needs one of them.
import { set, get } from './store.js';
import { isGuest } from './role.js';
import { api } from './api.js';

const names = ['hello', 'title', 'station', 'stations', 'player', 'position', 'recording', 'recording-title', 'recording-gap',
  'recording-disk', 'recording-track', 'schedule', 'schedules', 'recording-deleted', 'listening', 'queue', 'filters', 'description', 'shows', 'bookmarks', 'history', 'thumb', 'dial', 'favourites'];

const listeners = new Map();
let source = null;
let hiddenSince = document.hidden ? Date.now() : null;
let later = 0;
/** Events may have been missed: nothing was followed for a while. */
let hasMissed = false;

/** A refusal ends a browser's stream of events for good; whatever the reason was may pass. */
const pause = 15_000;

/** Calls back with the data of each event of this name. */
export function on(name, callback) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(callback);
  return () => listeners.get(name).delete(callback);
}

function tell(name, data) {
  for (const listener of listeners.get(name) ?? []) listener(data);
}

/**
 * Follows the events. What is told of an event `again`, after the first `hello` of a stream that is not the first one, is that
 * whatever was fetched before may be old.
 */
export function follow() {
  clearTimeout(later);
  if (source || isGuest()) return;
  const mine = new EventSource('/api/v1/events');
  source = mine;
  source.addEventListener('open', () => set('online', true));
  source.addEventListener('error', () => {
    set('online', false);
    hasMissed = true;
    if (mine.readyState !== EventSource.CLOSED || source !== mine) return;
    leave();
    later = setTimeout(follow, pause);
  });
  // This page was too slow for its events, and some were dropped: a new stream begins with how everything is.
  source.addEventListener('resync', followAnew);
  for (const name of names) {
    source.addEventListener(name, (event) => {
      let data;
      try { data = JSON.parse(event.data); } catch { return; }
      tell(name, data);
      if (name !== 'hello' || !hasMissed) return;
      hasMissed = false;
      tell('again', data);
    });
  }
}

/** Follows no more: whoever may not know what happens is not told that the service is away. */
export function unfollow() {
  leave();
  set('online', true);
}

function leave() {
  clearTimeout(later);
  source?.close();
  source = null;
  hasMissed = true;
}

/** Whether this page is told what happens, at this moment. */
export const isFollowed = () => source?.readyState === EventSource.OPEN;

/** Ends the stream of events and begins another: as somebody else, or because this one has a hole. */
export function followAnew() {
  leave();
  follow();
}

document.addEventListener('visibilitychange', () => {
  hiddenSince = document.hidden ? Date.now() : null;
  if (!document.hidden) follow();
});
setInterval(() => {
  // A tab that plays needs its titles, looked at or not.
  if (hiddenSince && Date.now() - hiddenSince > 60_000 && !get('sounding')) leave();
}, 10_000);

addEventListener('online', followAnew);
// The browser speaks of the internet, which says nothing of a service on this machine or in the house: that one is asked, and where it
// does not answer the stream begins anew, and says by itself when it is there again.
addEventListener('offline', () => { if (source) api.peek('session').catch(followAnew); });
