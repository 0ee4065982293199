// What airs, as it is heard: the title of the station that plays, and those before it.
import { on } from './events.js';
import { state, me, channel, live, isSounding } from './playing.js';
import { get, set, watch } from './store.js';
import { addTitles, fetchTitles, heardBehind, titleCount } from './titles.js';

/** The title that is heard, told to the other tabs too; null for none. */
export function setHeard(mark) {
  const before = get('heard');
  if (before?.text === mark?.text && before?.since === mark?.since && before?.station === mark?.station) return;
  set('heard', mark);
  channel.postMessage({ type: 'heard', mark });
}

/** The titles that were fetched last are of what was tuned to then. */
let titled = '';

/** Whatever is tuned to, its titles are fetched, whoever owns its sound. */
watch('player', ({ kind, station, since }) => {
  const now = kind === 'live' ? `${station.id} ${since}` : '';
  if (now === titled) return;
  titled = now;
  if (now) loadTitles(station);
});

async function loadTitles(station) {
  // What another tab or the service has in the ear, these say themselves.
  if (state.owner === me) setHeard(null);
  set('timeline', 0);
  await fetchTitles(station);
  if (state.station?.id === station.id) set('timeline', titleCount());
}

/** The title that is heard now: what was broadcast as long ago as this browser is behind. */
export function tellHeard() {
  if (!state.station || !isSounding()) return;
  const heard = heardBehind(live.lag);
  setHeard(heard ? { ...heard, station: state.station.id } : null);
}

/** A title has begun at a station. */
export function titleCame({ station, now }) {
  const known = new Map(get('airing') ?? []);
  known.set(station.id, now);
  set('airing', known);
  if (state.kind === 'live' && state.station?.id === station.id) {
    addTitles(station.id, [now]);
    set('timeline', titleCount());
    if (state.where === 'there') setHeard({ ...now, station: station.id });
  }
}
on('title', titleCame);
