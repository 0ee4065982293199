// One player for the whole page, its cells, its bars and its other tabs. The tab that sounds owns the state; the others
// show it and send it orders. With the sound at the service ("there") the service owns it, and everybody shows that.
import { failed } from './actions.js';
import { api, seg } from './api.js';
import { sends, feedOf } from './arrivals.js';
import { loadDetail, chaptersOf, chapterBeside } from './chapters.js';
import { applyEffects, trim } from './effects.js';
import { on } from './events.js';
import { setHeard, tellHeard } from './heard.js';
import { wakeSound } from './here.js';
import { open, shut, goOn, goTo, whenOpened, opening, isWhole } from './opened.js';
import { savePosition, placeOf, putAt, heardElsewhere } from './places.js';
import { state, me, channel, nothing, live, recorded, hear, publish, replace, position, isRecording, isSounding, isTuned } from './playing.js';
import { may } from './role.js';
import { timed, sleepFor, isAsleep } from './sleep-timer.js';
import { get, set, kept } from './store.js';
import { there, thereSaid, leaveThere, sleepOnThere } from './there.js';
import { setClock, fetchTitles } from './titles.js';
import { setVolume, volumeIs } from './volume.js';
import { plain, plainList, listOf, walkFrom, beside, widen, isWalkable } from './walk.js';
import { warm } from './warm.js';

export { position, isLive, isRecording, isSounding, isTuned, isStill, markOf, signal } from './playing.js';
export { isFinished } from './places.js';
export { titleCame } from './heard.js';

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
  setVolume: (percent) => setVolume(percent, thereSaid),
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
    live.join(station, () => mount(station));
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
    live.join(station, () => mount(station));
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
      replace({ ...state, kind: 'none' });
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

function refused(error) {
  if (error.name === 'NotAllowedError') publish({ phase: 'paused', reason: 'The browser wants a click before it plays.' });
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
  shut();
}

/** Nothing sounds in this tab any more. */
function silence() {
  live.leave();
  shut();
}

/** Nothing more will come of what somebody deleted while more of it was waited for. */
function closeDeleted() {
  const { recording } = state;
  // What is gone keeps no place.
  publish({ phase: 'failed', reason: 'It was deleted.' });
  here.close();
  set('toast', { text: `${recording.show || recording.station.name} was deleted: nothing more of it comes.`, kind: 'error' });
}

hear({ live: liveSaid, recorded: recordedSaid });
whenOpened({ ended, deleted: closeDeleted, refused });

/** Tells the service what is played, once it has been for a few seconds. */
let toldPlayed = '';
setInterval(() => {
  const id = state.station?.id ?? state.recording?.id;
  if (!id || !['live', 'playing'].includes(state.phase) || (state.owner !== me && state.owner !== 'service') || id === toldPlayed || Date.now() - state.since < 4000) return;
  toldPlayed = id;
  api.tell('POST', 'history', state.kind === 'live' ? { station: id } : { recording: id });
}, 1000);

setInterval(() => {
  const { sleep } = state;
  if (!sleep || state.owner !== me || !isAsleep(sleep, position())) return;
  if (state.kind === 'live') here.stop(); else here.pause();
  publish({ sleep: null });
}, 250);

// MARK: What the service says

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
  // Where the mounts are is known from now on.
  if (state.kind === 'live' && state.owner === me) live.retryNow();
});

// Titles that came meanwhile are known to the service, and so is how far a recording was heard elsewhere.
on('again', () => {
  if (state.kind === 'recorded' && state.phase === 'paused') api.peek(`recordings/${seg(state.recording.id)}`).then(heardElsewhere, () => {});
  if (state.kind !== 'live' || !state.station) return;
  if (state.owner === me) live.retryNow();
  fetchTitles(state.station);
});

// MARK: Other tabs

/** Takes over what another tab says. Whoever sounded and does not own the sound any more falls silent, whoever owns it now. */
function giveUp(theirs) {
  const wasMine = state.owner === me && theirs.owner !== me;
  if (wasMine) savePosition(true);
  replace(theirs);
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
    volumeIs(data.volume);
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

// For tests, and for whoever wants to know: the elements are not in the page.
export const elements = { get live() { return live.element; }, recorded: recorded.element };
