// How far a recording was heard: kept at the service, and taken over where it was heard on elsewhere.
import { api, seg } from './api.js';
import { on } from './events.js';
import { goTo } from './opened.js';
import { state, me, position, isRecording } from './playing.js';

let lastSaved = { id: null, position: 0, at: 0 };

/** Keeps the position at the service, at most every ten seconds while it plays. */
export function savePosition(isUrgent, { isLast = false } = {}) {
  const { recording } = state;
  // What sounds at the service is kept by the service, and what cannot be played was not heard.
  if (!recording || state.owner !== me || state.phase === 'failed') return;
  const at = position();
  const finished = isHeard(at);
  if (!isUrgent && lastSaved.id === recording.id && Date.now() - lastSaved.at < 10_000) return;
  if (lastSaved.id === recording.id && lastSaved.finished === finished && Math.abs(lastSaved.position - at) < 0.5) return;
  saved(at);
  ownWords.add(at);
  const listening = { ...(recording.listening ?? {}), position: at, finished };
  state.recording = { ...recording, listening };
  api.tell('PUT', `recordings/${seg(recording.id)}/listening`, { position: at, finished }, { keepalive: isLast });
}

/** The service knows that this one is at a place. */
function saved(at) {
  const { id } = state.recording;
  if (lastSaved.id !== id) ownWords.clear();
  lastSaved = { id, position: at, finished: isHeard(at), at: Date.now() };
}

/** The places of the recording saved last that this tab has told: they come back as events, some of them late. */
const ownWords = new Set();

/** Where somebody who has heard so much of a recording goes on. */
export const placeOf = (listening) => (listening?.finished ? 0 : listening?.position ?? 0);

/** Puts what is paused at a place that the service knows already, and is not told again. */
export function putAt(place) {
  saved(place);
  goTo(place, false);
}

/** What is paused here was heard on elsewhere: it goes on from there. */
export function heardElsewhere({ id, listening }) {
  if (state.owner !== me || state.phase !== 'paused' || !isRecording(id) || lastSaved.id !== id || !listening || ownWords.has(listening.position)) return;
  putAt(placeOf(listening));
}
on('listening', heardElsewhere);

/** What is still written has no end yet that could be heard. */
const isHeard = (at) => state.recording.state !== 'recording' && isFinished(at, state.duration);

/** Heard to the end, as good as: 97 of 100, or the last half minute. */
export const isFinished = (at, duration) => duration > 0 && (at >= duration * 0.97 || (duration > 60 && duration - at <= 30));
