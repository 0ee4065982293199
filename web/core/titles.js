// The titles of the station that plays, each with the moment it was broadcast.
import { api, seg } from './api.js';
import { get } from './store.js';
import { isGuest } from './role.js';

/** The station they are of. */
let of = null;
let timeline = [];
/** Milliseconds that this browser's clock is ahead of the service's. */
let skew = 0;
const remembered = 100;

export function setClock({ started, uptime_seconds: uptime }) {
  const now = Date.parse(started) + uptime * 1000;
  if (Number.isFinite(now)) skew = Date.now() - now;
  if (Math.abs(skew) < 1500) skew = 0;
}

/** Titles of a station, in any order; those of another are forgotten. */
export function addTitles(id, marks) {
  const all = new Map([...(of === id ? timeline : []), ...marks].map((mark) => [mark.since, mark]));
  of = id;
  timeline = [...all.values()].sort((a, b) => Date.parse(a.since) - Date.parse(b.since)).slice(-remembered);
}

/** Asks for those that a station had before this page came to it. */
export async function fetchTitles({ id }) {
  addTitles(id, []);
  if (isGuest()) {
    // What is on is all that a guest is told.
    const now = get('airing')?.get(id);
    if (now) addTitles(id, [now]);
    return;
  }
  try {
    const { titles } = await api.get(`stations/${seg(id)}/titles`);
    // What came meanwhile is the newer word.
    if (of === id) addTitles(id, [...titles, ...timeline]);
  } catch { /* the first title will come as an event */ }
}

/** The title that is heard by whoever is so many seconds behind the broadcast, or null. */
export function heardBehind(lag) {
  const now = Date.now() - lag * 1000;
  return timeline.findLast((mark) => Date.parse(mark.since) + skew <= now) ?? timeline[0] ?? null;
}

/** The titles of the station that plays, newest first; none while those that are known are another's. */
export const recentTitles = () => (of === get('player')?.station?.id ? [...timeline].reverse().filter((mark) => mark.class !== 'none').slice(0, 20) : []);

export const titleCount = () => timeline.length;
