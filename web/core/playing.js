// What plays: the state of the page's one player and its two sounds, for whoever leads them, keeps them or shows them.
import { LiveSound, RecordedSound, levels } from './here.js';
import { get, set, kept } from './store.js';

/** This tab among the browser's others, and the way to them. */
export const me = crypto.getRandomValues(new Uint32Array(2)).join('-');
export const channel = new BroadcastChannel('aircheck');

/** What plays. `kind` is `none`, `live` or `recorded`; only a recorded one has `position`, `duration` and `speed`. `joining` is a station
 *  that is to be heard next, while the one before it still sounds at the service. */
export const nothing = { owner: null, since: 0, kind: 'none', phase: 'stopped', reason: '', retryIn: 0, station: null, joining: null, listName: '', arriving: false, recording: null, sleep: null };

export let state = { ...nothing, where: kept.get('where', 'here') };

const said = { live: () => {}, recorded: () => {} };
export const live = new LiveSound((what) => said.live(what));
export const recorded = new RecordedSound((what) => said.recorded(what));
/** Who is told what the sounds say. */
export const hear = (listener) => Object.assign(said, listener);
set('player', state);

/** What changes, told to this page and to the other tabs; `quiet` where these are told by the service too. */
export function publish(change, { quiet = false } = {}) {
  state = { ...state, ...change, at: Date.now() };
  set('player', state);
  set('sounding', state.kind !== 'none' && state.owner === me);
  if (!quiet) channel.postMessage({ type: 'state', state });
}

/** Another state altogether: this tab's own view of it, which nobody else is told. */
export function replace(next) { state = next; }

/** Where a recording is now: between two words of its owner the clock goes on. */
export function position(from = state) {
  if (from.kind !== 'recorded') return 0;
  if (from.owner === me && from.phase === 'playing') return recorded.time;
  const gone = from.phase === 'playing' ? ((Date.now() - from.at) / 1000) * (from.speed ?? 1) : 0;
  return Math.min(from.duration || Infinity, (from.position ?? 0) + gone);
}

export const isLive = (id) => state.kind === 'live' && state.station?.id === id;
/** What airs at a station: as it is heard, where it is. */
export function markOf({ id }) {
  const heard = get('heard');
  return isTuned(id) && heard?.station === id ? heard : get('airing')?.get(id);
}
export const isRecording = (id) => state.kind === 'recorded' && state.recording?.id === id;
export const isSounding = () => (state.kind === 'live' ? !['stopped', 'failed'].includes(state.phase) : state.phase === 'playing' || state.phase === 'loading');
/** Whether a station is tuned, also while it is joined, waited for or tried again: what stops it is a stop. */
export const isTuned = (id = state.station?.id) => isLive(id) && state.phase !== 'stopped';
/** Whether what plays is what it was at a moment, neither left nor stopped nor moved: for whoever has waited for an answer since. */
export function isStill(before) {
  const what = ({ kind, since, where, station, recording, phase }) => [kind, since, where, station?.id, recording?.id, phase === 'stopped'].join('\n');
  return what(before) === what(state);
}
/** Four levels of what sounds here; null where nothing does, or it sounds elsewhere. */
export const signal = () => (state.owner !== me ? null : levels(state.kind === 'live' ? live.element : recorded.element));
