// The player of the service: orders to it, and what it says of itself, in the words of this page.
import { failed } from './actions.js';
import { api, seg } from './api.js';
import { sends, feedOf } from './arrivals.js';
import { on } from './events.js';
import { setHeard } from './heard.js';
import { state, nothing, publish, position, isLive, isRecording, isSounding, isTuned } from './playing.js';
import { secondsLeft, sleepThere, timed } from './sleep-timer.js';
import { get, set, kept } from './store.js';
import { volumeIs } from './volume.js';
import { plain, listOf, walkFrom } from './walk.js';

/** The fastest that the service's player goes; a browser can do more. */
const fastestThere = 3;

export const there = {
  tune(station, list) {
    walkFrom(station, list);
    const { group } = listOf(station);
    return askThere('POST', 'play', { station: station.id, ...(group ? { list: group } : {}) });
  },
  stop: () => (state.kind === 'recorded' ? there.pause() : askThere('POST', 'stop')),
  step: (direction) => askThere('POST', direction > 0 ? 'next' : 'previous'),
  toggleLive: () => (isTuned() ? askThere('POST', 'stop') : askThere('POST', 'play', state.station ? { station: state.station.id } : {})),
  toggle: () => (state.kind === 'recorded' ? (isSounding() ? there.pause() : there.resume()) : there.toggleLive()),
  listen(recording, at) {
    if (isRecording(recording.id) && at === null && state.phase !== 'failed') return there.resume();
    return askThere('POST', 'play', { recording: recording.id, ...(at === null ? {} : { position: at }), speed: Math.min(fastestThere, kept.get('speed', 1)) });
  },
  pause: () => askThere('POST', 'pause'),
  resume: () => askThere('POST', 'play', state.recording ? { recording: state.recording.id, position: position() } : {}),
  seek: (seconds) => askThere('PUT', 'position', { seconds: Math.max(0, seconds) }),
  skip: (seconds) => askThere('PUT', 'position', { change: seconds }),
  setSpeed(speed) {
    const wanted = Math.min(fastestThere, Math.max(0.5, Math.round(speed * 20) / 20));
    kept.set('speed', wanted);
    return askThere('PUT', 'speed', { value: wanted });
  },
  effects(effects) {
    kept.set('effects', effects);
    publish({ effects });
    set('toast', { text: 'Trim and boost are for sound in the browser. The service plays as it was recorded.', kind: 'plain' });
  },
  /** At its end the service marks it played and goes on itself. What is still recorded has no end yet. */
  finish: () => (state.recording.state === 'recording' ? there.close() : there.seek(state.duration)),
  close() {
    const left = leaveThere();
    publish({ ...nothing, where: 'there' }, { quiet: true });
    return left.then(() => state.where === 'there' && publish({ ...nothing, where: 'there' }));
  },
  sleep(rule) {
    const sleep = timed(rule);
    publish({ sleep });
    // A place, and no time: whoever seeks, pauses or goes faster meanwhile still falls asleep there.
    return api.put('player/sleep', sleep?.chapter ? { at: sleep.chapter } : { seconds: secondsLeft(sleep) }).then(thereSaid, failed);
  },
};

/** The recording that was closed here: it stays loaded at the service, and is not shown again until it sounds. */
let closedThere = null;

/** The service falls silent; what it had stays shown. */
export function leaveThere() {
  closedThere = state.recording?.id ?? null;
  return askThere('POST', 'stop');
}

function askThere(method, name, body) {
  return (method === 'PUT' ? api.put : api.post)(`player/${name}`, body).then(thereSaid, failed);
}

/** The timer of what has moved there goes on there, where the service knows of none but its own. One that was set there meanwhile stays. */
export async function sleepOnThere(sleep, { station, recording }) {
  const isThere = isRecording(recording?.id) || isLive(station?.id) || (station && state.joining?.id === station.id);
  if (isThere && state.owner === 'service' && !state.sleep) await there.sleep(sleep);
}

/** The service's words for what it does, as the page says them; recordings have their own. */
const phases = {
  live: { rejoining: 'stalled', playing: 'live' },
  recorded: { joining: 'loading', stalled: 'loading', rejoining: 'loading', live: 'playing', stopped: 'paused' },
};

/** What is known of a station that the service names. */
function asKnown(station) {
  const found = get('stations')?.get(station.id);
  return found ? plain(found) : station;
}

/** The service's player, in the words of this one. */
export function thereSaid(said) {
  if (!said || state.where !== 'there') return;
  volumeIs(said.volume);
  if (said.recording) return recordingThere(said);
  const station = said.heard ?? said.station;
  // What came from here and is nobody's yet stays shown.
  if (!station && state.kind === 'live' && !state.owner) return;
  if (!station) { setHeard(null); return publish({ ...nothing, where: 'there' }, { quiet: true }); }
  // What sounds goes on until the next one has audio.
  const joining = said.station && said.station.id !== station.id ? asKnown(said.station) : null;
  const phase = joining ? 'live' : phases.live[said.state] ?? said.state;
  const since = state.station?.id === station.id ? state.since : Date.now();
  publish({ kind: 'live', owner: 'service', since, station: asKnown(station), joining, phase, reason: said.reason ?? '', ...feedOf((joining ?? station).id), arriving: phase === 'live' && sends(station.id), recording: null, ...listOf(station), output: said.output, sleep: sleepThere(said) }, { quiet: true });
  setHeard(said.now && phase !== 'stopped' ? { ...said.now, station: station.id } : null);
}

function recordingThere(said) {
  const { id, title, show, station, seconds, position: at, speed } = said.recording;
  const phase = phases.recorded[said.state] ?? said.state;
  if (closedThere === id && phase === 'paused') return publish({ ...nothing, where: 'there' }, { quiet: true });
  closedThere = null;
  const isSame = isRecording(id);
  const known = isSame ? state.recording : get('recordings')?.find((each) => each.id === id);
  if (!known) api.get(`recordings/${seg(id)}`).then((recording) => { if (isRecording(id)) publish({ recording }, { quiet: true }); }, () => {});
  setHeard(null);
  publish({
    kind: 'recorded', owner: 'service', since: isSame ? state.since : Date.now(), recording: known ?? { id, show: show ?? title, station, seconds }, station: null,
    phase, reason: said.reason ?? '', position: at, duration: seconds, speed, arriving: false, output: said.output, sleep: sleepThere(said),
  }, { quiet: true });
}

on('position', ({ recording, position: at, seconds, speed, state: said }) => {
  if (state.where !== 'there' || !isRecording(recording)) return;
  publish({ position: at, duration: seconds, speed, phase: phases.recorded[said] ?? said }, { quiet: true });
});

on('player', (said) => { if (state.where === 'there') thereSaid(said); });
