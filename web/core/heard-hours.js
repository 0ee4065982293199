// How long this browser listened, to what, and what of the time was saved; told to the service. What the service itself plays it
// counts by itself.
import { api } from './api.js';
import { get, watch } from './store.js';

/** How often it is told, in milliseconds. */
const every = 30_000;
/** Seconds between two looks at most: a machine that slept did not listen. */
const longest = 90;
/** Less than this is not worth telling, in seconds. */
const least = 0.5;

const nothing = () => ({ live: 0, recorded: 0, trim: 0, speed: 0 });
let sums = nothing();
let looked = performance.now();
/** What the sums are of: a station, and who was playing. */
let subject = {};

/** Seconds that silence left out would have taken. */
export function trimmed(seconds) { sums.trim += seconds; }

/** What is listened to now: the station, also that of a recording, and the artist of the track or the chapter. */
function current() {
  const state = get('player');
  if (!get('sounding')) return {};
  const station = state.kind === 'live' ? state.station?.id : state.recording?.station?.id;
  const artist = state.kind === 'live' ? get('heard')?.artist : get('chapter')?.artist;
  return { ...(station ? { station } : {}), ...(artist ? { artist } : {}) };
}

function count() {
  const now = performance.now();
  const seconds = Math.min(longest, (now - looked) / 1000);
  looked = now;
  const state = get('player');
  if (!get('sounding')) return;
  if (state.kind === 'live' && state.phase === 'live') sums.live += seconds;
  if (state.kind === 'recorded' && state.phase === 'playing') {
    sums.recorded += seconds;
    sums.speed += ((state.speed ?? 1) - 1) * seconds;
  }
}

function tell(options) {
  if (sums.live + sums.recorded < least) return;
  const told = { ...sums, ...subject };
  sums = nothing();
  api.tell('POST', 'stats/heard', told, options);
}

/** Counted up to now for what was heard up to now. */
function turn() {
  const next = current();
  if (next.station === subject.station && next.artist === subject.artist) return;
  count();
  tell();
  subject = next;
}

for (const name of ['player', 'heard', 'chapter']) watch(name, turn);
setInterval(count, 1000);
setInterval(tell, every);
addEventListener('pagehide', () => { count(); tell({ keepalive: true }); });
