// One player for the whole page, its cells, its bars and its other tabs. The tab that sounds owns the state; the others
// show it and send it orders. With the sound at the service ("there") the service owns it, and everybody shows that.
import { api, seg } from './api.js';
import { LiveSound, RecordedSound, wakeSound, levels, setBoost } from './here.js';
import { get, set, watch, kept } from './store.js';
import { on } from './events.js';
import { may } from './role.js';
import { sends, feedOf } from './arrivals.js';
import { loadDetail, chaptersOf, chapterBeside } from './chapters.js';
import { trimmed } from './heard-hours.js';
import { warm } from './warm.js';
import { setClock, addTitles, fetchTitles, heardBehind, titleCount } from './titles.js';
import { plain, plainList, listOf, walkFrom, beside, widen, isWalkable } from './walk.js';

const me = crypto.getRandomValues(new Uint32Array(2)).join('-');
const channel = new BroadcastChannel('aircheck');

/** What plays. `kind` is `none`, `live` or `recorded`; only a recorded one has `position`, `duration` and `speed`. `joining` is a station
 *  that is to be heard next, while the one before it still sounds at the service. */
const nothing = { owner: null, since: 0, kind: 'none', phase: 'stopped', reason: '', retryIn: 0, station: null, joining: null, listName: '', arriving: false, recording: null, sleep: null };

let state = { ...nothing, where: kept.get('where', 'here') };
let volume = kept.get('volume', 100);
let lastSaved = { id: null, position: 0, at: 0 };

const live = new LiveSound(liveSaid);
const recorded = new RecordedSound(recordedSaid);
set('player', state);
set('volume', volume);

function publish(change, { quiet = false } = {}) {
  state = { ...state, ...change, at: Date.now() };
  set('player', state);
  set('sounding', state.kind !== 'none' && state.owner === me);
  if (!quiet) channel.postMessage({ type: 'state', state });
}

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

// MARK: Orders

/** Sends an order to whoever owns the sound; without an owner this tab takes it. */
function order(name, ...args) {
  wakeSound();
  if (state.where === 'there' && there[name]) return there[name](...args);
  if (!state.owner || state.owner === me) return here[name](...args);
  const id = `${me}.${Date.now()}.${Math.random()}`;
  pending.set(id, setTimeout(() => {
    // Its tab is gone without a word.
    pending.delete(id);
    publish({ owner: null, kind: state.kind });
    here[name](...args);
  }, 500));
  channel.postMessage({ type: 'order', name, args, id });
}

const pending = new Map();

export const player = {
  /** Joins a station; `list` is what next and previous walk. */
  tune: (station, list) => order('tune', plain(station), list ? plainList(list) : null),
  /** What next and previous walk from now on; what is tuned stays tuned. */
  walk: (list) => order('walk', plainList(list)),
  stop: () => order('stop'),
  next: () => step(1),
  previous: () => step(-1),
  toggleLive: () => order('toggleLive'),
  /** `isQueued`: it is the next of Up Next, and where it cannot be played the one after it is. */
  listen: (recording, at, isQueued = false) => order('listen', recording, at ?? null, isQueued),
  pause: () => order('pause'),
  resume: () => order('resume'),
  toggle: () => order('toggle'),
  seek: (seconds) => order('seek', seconds),
  skip: (seconds) => order('skip', seconds),
  setSpeed: (speed) => order('setSpeed', speed),
  effects: (effects) => order('effects', effects),
  close: () => order('close'),
  /** Whoever has heard enough of a recording leaves it where it sounds: for what is up next, or for nothing. */
  finish: (id) => (isRecording(id) && isSounding() ? order('finish') : undefined),
  sleep: (rule) => order('sleep', rule),
  setVolume,
  setWhere,
};

const step = (direction) => (state.kind === 'recorded' ? stepChapter(direction) : order('step', direction));

/** Behind the last chapter is Up Next. Where there are none, back is half a minute: the place is worth more than the beginning. */
async function stepChapter(direction) {
  const { recording } = state;
  const detail = await loadDetail(recording.id).catch(() => null);
  if (!isRecording(recording.id)) return;
  const to = chapterBeside(chaptersOf(detail), position(), direction);
  if (to !== null) player.seek(to);
  else if (direction < 0) player.skip(-30);
  else if (!(await playNext())) set('toast', { text: 'No chapter follows, and nothing is up next.' });
}

/** The station beside the one that is tuned, in the list it was tuned from; null where this tab knows no such list. */
export const neighbour = (direction) => beside(state.station, direction);

const mount = (station) => `${listenRoot()}/${seg(station.id)}`;

/** The mounts may be on a port of their own. */
function listenRoot() {
  const { address, listen } = get('status') ?? {};
  if (!address || !listen || address === listen) return '';
  try { return `${location.protocol}//${location.hostname}:${new URL(listen).port}`; } catch { return ''; }
}

const here = {
  tune(station, list) {
    if (state.kind === 'recorded') closeRecording();
    walkFrom(station, list);
    publish({ owner: me, since: Date.now(), kind: 'live', station, ...listOf(station), ...feedOf(station.id), phase: 'joining', reason: '', retryIn: 0, recording: null, joining: null, direction: 0, arriving: false, sleep: sleepFor(null) });
    live.join(station, mount(station));
  },
  stop() {
    if (state.kind !== 'live') return here.pause();
    live.leave();
    setHeard(null);
    publish({ owner: me, phase: 'stopped', arriving: false, reason: '' });
  },
  walk(list) { if (state.station) walkFrom(state.station, list); },
  async step(direction) {
    if (!state.station) return;
    const from = state.station;
    if (!isWalkable()) await widen(from);
    // Something else may have been chosen meanwhile.
    if (state.kind !== 'live' || state.station?.id !== from.id || state.where !== 'here' || (state.owner && state.owner !== me)) return;
    const station = neighbour(direction);
    if (!station) return set('toast', { text: 'There is no other station.', kind: 'plain' });
    const wasTuned = isTuned();
    publish({ owner: me, since: Date.now(), station, ...listOf(station), ...feedOf(station.id), direction, reason: '', phase: wasTuned ? 'joining' : state.phase, arriving: false });
    if (!wasTuned) return;
    live.join(station, mount(station));
    // Whoever walks on in the same direction finds the next one connected.
    warm(neighbour(direction));
  },
  toggleLive() {
    if (state.kind !== 'live') return;
    if (isTuned()) return here.stop();
    here.tune(state.station, null);
  },
  listen(recording, at, isQueued) {
    if (state.kind === 'live') live.leave();
    else if (state.kind === 'recorded' && state.recording.id === recording.id && at === null && state.phase !== 'failed') return here.resume();
    else if (state.kind === 'recorded') closeRecording();
    // What a screen drew may be old: it was heard elsewhere since.
    const known = get('recordings')?.find((each) => each.id === recording.id)?.listening ?? recording.listening;
    const begin = at ?? placeOf(known);
    const speed = kept.get('speed', 1);
    publish({ owner: me, since: Date.now(), kind: 'recorded', recording, station: null, phase: 'loading', reason: '', position: begin, duration: recording.seconds, speed, isQueued, arriving: false, sleep: sleepFor(recording) });
    open(recording, begin);
    applyEffects();
  },
  pause() { recorded.element.pause(); publish({ owner: me, phase: 'paused', position: recorded.time || state.position }); savePosition(true); },
  resume() {
    if (state.kind !== 'recorded') return;
    if (!recorded.isOpen || state.phase === 'failed') {
      const again = state.recording;
      const at = state.position ?? 0;
      state = { ...state, kind: 'none' };
      return here.listen(again, at, state.isQueued);
    }
    if (!isWhole && recorded.element.ended) return goOn();
    publish({ owner: me, phase: 'playing', position: recorded.time });
    recorded.element.play().catch(refused);
  },
  toggle() { if (state.kind === 'live') here.toggleLive(); else if (isSounding()) here.pause(); else here.resume(); },
  seek(seconds) {
    if (state.kind !== 'recorded') return;
    goTo(Math.min(Math.max(0, seconds), state.duration || seconds));
    savePosition(true);
  },
  skip(seconds) { if (state.kind === 'recorded') here.seek(position() + seconds); },
  async finish() {
    const { id } = state.recording;
    recorded.element.pause();
    publish({ phase: 'paused' });
    putAt(0);
    if (!(await playNext().catch(() => false)) && isRecording(id)) here.close();
  },
  setSpeed(speed) {
    const wanted = Math.min(3.5, Math.max(0.5, Math.round(speed * 20) / 20));
    recorded.speed = wanted;
    kept.set('speed', wanted);
    publish({ speed: wanted, position: position() });
  },
  effects(effects) { kept.set('effects', effects); applyEffects(); publish({ effects }); },
  sleep(rule) { publish({ sleep: timed(rule) }); },
  close() {
    savePosition(true);
    silence();
    setHeard(null);
    publish({ ...nothing, where: state.where });
  },
};

/** A timer with the moment at which it ends, where it is one of minutes; one that has such a moment keeps it. */
const timed = (rule) => rule && { ...rule, ends: rule.ends ?? (rule.minutes ? Date.now() + rule.minutes * 60_000 : null) };

/** The timer of what is played from now on: the end of a chapter is one of its recording. */
const sleepFor = (recording) => (state.sleep?.chapter && state.recording?.id !== recording?.id ? null : state.sleep ?? null);

/** The fastest that the service's player goes; a browser can do more. */
const fastestThere = 3;

const there = {
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

/** What the service is asked to wait for; 0 would call the timer off, so that one whose moment is over has a moment left. */
const secondsLeft = (sleep) => (sleep ? Math.max(0.1, (sleep.ends - Date.now()) / 1000) : 0);

/** The recording that was closed here: it stays loaded at the service, and is not shown again until it sounds. */
let closedThere = null;

function leaveThere() {
  closedThere = state.recording?.id ?? null;
  return askThere('POST', 'stop');
}

function askThere(method, name, body) {
  return (method === 'PUT' ? api.put : api.post)(`player/${name}`, body).then(thereSaid, failed);
}

function failed(error) {
  set('toast', { text: error.message, remedy: error.remedy, kind: 'error' });
}

function refused(error) {
  if (error.name === 'NotAllowedError') publish({ phase: 'paused', reason: 'The browser wants a click before it plays.' });
}

function setVolume(percent) {
  volume = Math.min(100, Math.max(0, Math.round(percent)));
  kept.set('volume', volume);
  set('volume', volume);
  live.element.volume = volume / 100;
  recorded.element.volume = volume / 100;
  if (state.where === 'there') tellVolume();
  else channel.postMessage({ type: 'volume', volume });
}

/** The volume is on its way to the service: what that says of it meanwhile is older. */
let isTellingVolume = false;

/** One word after the other, the last one at the end, however quickly a slider moves. */
async function tellVolume() {
  if (isTellingVolume) return;
  isTellingVolume = true;
  let told, said;
  do {
    told = volume;
    said = await api.put('player/volume', { percent: told }).catch(failed);
  } while (told !== volume && state.where === 'there');
  isTellingVolume = false;
  if (said) thereSaid(said);
}

/** Where the sound goes from now on: `here` or `there`. What sounds moves along with its timer, and what is shown stays shown meanwhile, with
 *  its list. */
async function setWhere(where) {
  if (where === state.where) return;
  const { kind, station, recording, sleep } = state;
  // Whoever may not lead the service's player leaves it as it is.
  const isMoving = isSounding() && (where === 'there' || may('operator'));
  const at = position();
  savePosition(true);
  if (where === 'here' && isMoving) leaveThere();
  kept.set('where', where);
  publish(kind === 'none' || (kind === 'recorded' && !isMoving) ? { ...nothing, where } : { ...onTheWay(isMoving, at), where });
  // Only now: what an element says while it is closed is nobody's word any more.
  silence();
  channel.postMessage({ type: 'where', where });
  if (isMoving) await (kind === 'live' ? player.tune(station, null) : player.listen(recording, at));
  else if (where === 'there') api.get('player').then(thereSaid, failed);
  if (isMoving && state.where === where && !state.owner) publish({ ...nothing, where });
  if (isMoving && where === 'there' && sleep) await sleepOnThere(sleep, { station, recording });
}

/** The timer of what has moved there goes on there, where the service knows of none but its own. One that was set there meanwhile stays. */
async function sleepOnThere(sleep, { station, recording }) {
  const isThere = isRecording(recording?.id) || isLive(station?.id) || (station && state.joining?.id === station.id);
  if (isThere && state.owner === 'service' && !state.sleep) await there.sleep(sleep);
}

/** What is shown until the other place has it: nobody's, and silent. */
const onTheWay = (isMoving, at) => ({
  owner: null, joining: null, arriving: false, reason: '', sleep: isMoving ? state.sleep : null,
  ...(state.kind === 'live' ? { phase: isMoving ? 'joining' : 'stopped' } : { phase: 'loading', position: at }),
});

// MARK: What the sound says

function liveSaid(said) {
  if (said.left) {
    if (state.owner === me && state.kind === 'live' && state.where === 'here') here.stop();
    if (said.reason) publish({ reason: said.reason });
    return;
  }
  if (state.owner !== me || state.kind !== 'live') return;
  if ('lag' in said) {
    if (said.arriving !== state.arriving) publish({ arriving: said.arriving });
    tellHeard();
    return;
  }
  if (said.phase !== state.phase || said.reason) publish({ phase: said.phase, reason: said.reason ?? '', retryIn: said.retryIn ?? 0, arriving: said.phase === 'live' && live.arriving });
}

function recordedSaid(said) {
  if (state.owner !== me || state.kind !== 'recorded') return;
  if (said.phase === 'failed') return void cannotPlay(said.address);
  if (said.duration && !isWhole) said.duration = Math.max(said.duration, state.recording.seconds);
  if (said.phase === 'ended') {
    if (isWhole) ended(); else if (state.phase !== 'paused') goOn();
    return;
  }
  if (said.phase && said.phase !== state.phase) publish(said);
  else publish({ ...said, arriving: false }, { quiet: Date.now() - lastTold < 900 });
  if (Date.now() - lastTold >= 900) lastTold = Date.now();
  if (state.phase === 'playing' && 'position' in said) { savePosition(false); trim(); }
}
let lastTold = 0;

const playNext = () => import('./queue.js').then(({ queue }) => queue.playNext());

function ended() {
  // The last chapter ends with the recording: nothing follows where that was to be the end.
  const isAsleep = Boolean(state.sleep?.chapter) || state.phase === 'paused';
  publish({ phase: 'paused', position: state.duration, ...(isAsleep ? { sleep: null } : {}) });
  savePosition(true);
  if (!isAsleep) playNext();
}

/** Says why it cannot be played; what is next of Up Next gives way to the one after it. */
async function cannotPlay(address) {
  const mine = opening;
  const { recording, isQueued } = state;
  publish({ phase: 'failed', reason: 'Its file cannot be played.' });
  const refusal = await api.refusal(address);
  if (mine !== opening) return;
  const { reason, remedy, isGone } = whyNot(refusal);
  publish({ reason });
  set('toast', { text: `${recording.show || recording.station.name}: ${reason}`, remedy, kind: 'error' });
  // A service that is away takes nothing from Up Next.
  if (isQueued && isGone) playNext();
}

function whyNot(refusal) {
  if (!refusal) return { reason: 'This browser cannot play its file.', remedy: 'Download it, or let the service play it.', isGone: true };
  if (refusal.status === 404) return { reason: 'Its file is not there any more.', remedy: 'Put it back where it was, or delete the recording.', isGone: true };
  return { reason: refusal.message, remedy: refusal.remedy || 'Press play to try it again.', isGone: false };
}

function closeRecording() {
  savePosition(true);
  opening += 1;
  recorded.close();
}

/** Nothing sounds in this tab any more. */
function silence() {
  live.leave();
  opening += 1;
  recorded.close();
}

/** How often a recording was opened or closed: what was asked for meanwhile may not be wanted any more. */
let opening = 0;

/** Begins at once at the beginning; within a recording it must be known first which of its files that place is in. */
async function open(recording, begin) {
  opening += 1;
  const mine = opening;
  isWhole = recording.state !== 'recording';
  openedAt = Date.now();
  const known = partsOf(recording);
  recorded.element.volume = volume / 100;
  const parts = (begin > 0 && (await known)) || [{ address: addressOf(`/api/v1/recordings/${seg(recording.id)}/audio`), start: 0 }];
  if (mine !== opening) return;
  // Whoever has sought meanwhile begins there, and as fast as was chosen meanwhile.
  recorded.load(parts, state.position, state.speed);
  if (state.phase !== 'paused') recorded.element.play().catch(refused);
  const all = await known;
  if (mine !== opening || !all) return;
  recorded.split(all);
  publish({ duration: recording.seconds });
}

/** The files of a recording whose station changed its format on the way; null where it is one file. */
async function partsOf(recording) {
  try {
    const { audioOf } = await import('./recordings.js');
    const { files } = await loadDetail(recording.id);
    if (!(files?.length > 1)) return null;
    let start = 0;
    return files.map((file, index) => { const part = { address: addressOf(audioOf(recording, index)), start }; start += file.seconds; return part; });
  } catch { return null; }
}

// MARK: While it is written

/** What was opened is all of the recording. One that is still written ends, for the element, where it ended at that moment. */
let isWhole = true;
let openedAt = 0;
/** What is still written has another address each time, so that nothing shorter that the browser keeps is taken for it. */
const addressOf = (address) => (isWhole ? address : `${address}${address.includes('?') ? '&' : '?'}at=${openedAt.toString(36)}`);
/** So much must have come, in seconds, before it goes on from the edge: it plays on from piece to piece, each as long as this at least. */
const piece = 3;

/** Plays on in what has come since it was opened, or waits for it. */
async function goOn() {
  opening += 1;
  const mine = opening;
  const at = recorded.time;
  publish({ phase: 'loading', position: at });
  const found = await look();
  if (mine !== opening) return;
  if (found === 'deleted') return closeDeleted();
  const { state: stage, seconds } = state.recording;
  const isOver = found === 'there' && stage !== 'recording';
  if (isOver && seconds - at < 0.5) { isWhole = true; return ended(); }
  if ((isOver || seconds - at >= piece) && Date.now() - openedAt > 800) return reopen(at);
  setTimeout(() => { if (mine === opening && state.phase === 'loading') goOn(); }, 1000);
}

/** Goes to a place of what is open, or is to be. */
function goTo(to, mustPlay) {
  if (recorded.isOpen && !isWhole && (to > recorded.end || recorded.element.ended)) reopen(to);
  else if (recorded.isOpen) recorded.seek(to, mustPlay);
  publish({ position: to });
}

/** Opens it anew, with what has come since, at a place of it. */
function reopen(at) {
  recorded.close();
  publish({ phase: state.phase === 'paused' ? 'paused' : 'loading', position: at });
  open(state.recording, at);
}

/** Asks how long it is by now, and whether it is over. Tells whether it is `there`, `deleted` or, as the service did not say, `unknown`. */
async function look() {
  const { recording } = state;
  try { grew(await loadDetail(recording.id)); return 'there'; } catch (error) { return error.status === 404 ? 'deleted' : 'unknown'; }
}

/** Nothing more will come of what somebody deleted while more of it was waited for. */
function closeDeleted() {
  const { recording } = state;
  // What is gone keeps no place.
  publish({ phase: 'failed', reason: 'It was deleted.' });
  here.close();
  set('toast', { text: `${recording.show || recording.station.name} was deleted: nothing more of it comes.`, kind: 'error' });
}

function grew({ id, state: stage, seconds, ended, path, bytes }) {
  if (isWhole || !isRecording(id) || state.owner !== me) return;
  publish({ recording: { ...state.recording, state: stage, seconds, ended, path, bytes }, duration: seconds });
}
on('recording', grew);
setInterval(() => { if (!isWhole && state.owner === me && state.kind === 'recorded' && isSounding()) look(); }, 5000);

// MARK: Positions

/** Keeps the position at the service, at most every ten seconds while it plays. */
function savePosition(isUrgent, { isLast = false } = {}) {
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
const placeOf = (listening) => (listening?.finished ? 0 : listening?.position ?? 0);

/** Puts what is paused at a place that the service knows already, and is not told again. */
function putAt(place) {
  saved(place);
  goTo(place, false);
}

/** What is paused here was heard on elsewhere: it goes on from there. */
function heardElsewhere({ id, listening }) {
  if (state.owner !== me || state.phase !== 'paused' || !isRecording(id) || lastSaved.id !== id || !listening || ownWords.has(listening.position)) return;
  putAt(placeOf(listening));
}
on('listening', heardElsewhere);

/** What is still written has no end yet that could be heard. */
const isHeard = (at) => state.recording.state !== 'recording' && isFinished(at, state.duration);

/** Heard to the end, as good as: 97 of 100, or the last half minute. */
export const isFinished = (at, duration) => duration > 0 && (at >= duration * 0.97 || (duration > 60 && duration - at <= 30));

// MARK: Effects

/** Spans of silence of the recording that plays, `[from, to]` in seconds, as the service measured them. */
let silences = [];
const keepOfSilence = { mild: 0.8, medium: 0.45, max: 0.15 };

function applyEffects() {
  const effects = kept.get('effects', { trim: 'off', boost: false });
  if (effects.boost || state.effects?.boost) setBoost(recorded.element, effects.boost);
  silences = [];
  const { recording } = state;
  if (effects.trim === 'off' || !recording) return;
  api.get(`recordings/${seg(recording.id)}`).then((detail) => {
    if (state.recording?.id === recording.id) silences = detail.silences ?? [];
  }, () => {});
}

function trim() {
  const effects = kept.get('effects', { trim: 'off' });
  if (effects.trim === 'off' || state.phase !== 'playing' || !silences.length) return;
  const keep = keepOfSilence[effects.trim] ?? keepOfSilence.mild;
  const at = recorded.time;
  const span = silences.find(([from, to]) => at >= from + keep / 2 && at < to - keep / 2 - 0.05);
  if (!span) return;
  const to = span[1] - keep / 2;
  trimmed((to - at) / (state.speed || 1));
  recorded.seek(to);
}

/** Tells the service what is played, once it has been for a few seconds. */
let toldPlayed = '';
setInterval(() => {
  const id = state.station?.id ?? state.recording?.id;
  if (!id || !['live', 'playing'].includes(state.phase) || (state.owner !== me && state.owner !== 'service') || id === toldPlayed || Date.now() - state.since < 4000) return;
  toldPlayed = id;
  api.tell('POST', 'history', state.kind === 'live' ? { station: id } : { recording: id });
}, 1000);

// MARK: Sleep

setInterval(() => {
  const { sleep } = state;
  if (!sleep || state.owner !== me) return;
  const chapterEnds = sleep.chapter && state.kind === 'recorded' && position() >= sleep.chapter;
  if (!(sleep.ends && Date.now() >= sleep.ends) && !chapterEnds) return;
  if (state.kind === 'live') here.stop(); else here.pause();
  publish({ sleep: null });
}, 250);

// MARK: Titles

function setHeard(mark) {
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
function tellHeard() {
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

on('station', ({ id }) => {
  if (state.kind !== 'live' || ![state.station.id, state.joining?.id].includes(id)) return;
  publish(feedOf((state.joining ?? state.station).id), { quiet: true });
  if (state.where === 'there') publish({ arriving: state.phase === 'live' && sends(state.station.id) }, { quiet: true });
});

on('hello', (status) => {
  set('status', status);
  setClock(status);
  const airing = new Map(get('airing') ?? []);
  for (const feed of status.stations ?? []) if (feed.now) airing.set(feed.id, feed.now);
  set('airing', airing);
  if (state.where === 'there') thereSaid(status.player);
  else if (state.kind === 'live') publish(feedOf(state.station.id), { quiet: true });
});

// Titles that came meanwhile are known to the service, and so is how far a recording was heard elsewhere.
on('again', () => {
  if (state.kind === 'recorded' && state.phase === 'paused') api.peek(`recordings/${seg(state.recording.id)}`).then(heardElsewhere, () => {});
  if (state.kind !== 'live' || !state.station) return;
  if (state.owner === me) live.retryNow();
  fetchTitles(state.station);
});

on('player', (said) => { if (state.where === 'there') thereSaid(said); });

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
function thereSaid(said) {
  if (!said || state.where !== 'there') return;
  if (Number.isFinite(said.volume) && !isTellingVolume) { volume = said.volume; set('volume', volume); }
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

/** The service's timer, also one that was set elsewhere: it can be called off here. */
function sleepThere(said) {
  if (Number.isFinite(said.sleep_at)) return { chapter: said.sleep_at };
  if (!said.sleep_seconds) return null;
  const ends = Date.now() + said.sleep_seconds * 1000;
  const before = state.sleep;
  const whole = Math.round(said.sleep_seconds / 60);
  // One that was set elsewhere is no choice of this page, unless it is the same.
  const isOurs = before?.minutes && Math.abs((before.ends ?? ends) - ends) < 5000;
  const minutes = isOurs ? before.minutes : Math.abs(whole * 60 - said.sleep_seconds) < 2 ? whole : null;
  return { minutes, ends };
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

// MARK: Other tabs

/** Takes over what another tab says. Whoever sounded and does not own the sound any more falls silent, whoever owns it now. */
function giveUp(theirs) {
  const wasMine = state.owner === me && theirs.owner !== me;
  if (wasMine) savePosition(true);
  state = theirs;
  // Only now: what an element says while it is closed is nobody's word any more.
  if (wasMine) silence();
  set('player', state);
  set('sounding', false);
}

channel.addEventListener('message', ({ data }) => {
  if (data.type === 'state') {
    const theirs = data.state;
    if (state.owner === me && theirs.owner && theirs.owner !== me && theirs.since < state.since) return;
    for (const [id, timer] of pending) { clearTimeout(timer); pending.delete(id); }
    if (state.owner === me && !theirs.owner && theirs.at < state.at) return;
    giveUp(theirs);
  } else if (data.type === 'order') {
    if (state.owner !== me) return;
    here[data.name]?.(...data.args);
    publish({});
  } else if (data.type === 'ask') {
    if (state.owner === me) { channel.postMessage({ type: 'state', state }); channel.postMessage({ type: 'heard', mark: get('heard') }); }
  } else if (data.type === 'heard') {
    if (state.owner !== me) set('heard', data.mark);
  } else if (data.type === 'where') {
    if (data.where === state.where) return;
    kept.set('where', data.where);
    giveUp({ ...nothing, where: data.where, at: Date.now() });
    if (data.where === 'there') api.get('player').then(thereSaid, () => {});
  } else if (data.type === 'volume') {
    volume = data.volume;
    live.element.volume = volume / 100;
    recorded.element.volume = volume / 100;
    set('volume', volume);
  }
});
channel.postMessage({ type: 'ask' });
if (state.where === 'there') api.get('player').then(thereSaid, () => {});

addEventListener('pagehide', () => {
  if (state.owner !== me) return;
  savePosition(true, { isLast: true });
  const rest = state.kind === 'recorded' ? { ...state, owner: null, phase: 'paused', position: position() } : { ...nothing, where: state.where };
  channel.postMessage({ type: 'state', state: { ...rest, at: Date.now() } });
});

live.element.volume = volume / 100;
recorded.element.volume = volume / 100;

// For tests, and for whoever wants to know: the elements are not in the page.
export const elements = { live: live.element, recorded: recorded.element };
