// What is open of a recording: its files, and what is still written of it.
import { seg } from './api.js';
import { loadDetail } from './chapters.js';
import { on } from './events.js';
import { state, me, recorded, publish, isRecording, isSounding } from './playing.js';

const told = { ended: () => {}, deleted: () => {}, refused: () => {} };
/** Who is told that it has ended, was deleted while more of it was waited for, or is not let play by the browser. */
export const whenOpened = (listener) => Object.assign(told, listener);

/** How often a recording was opened or closed: what was asked for meanwhile may not be wanted any more. */
export let opening = 0;

/** Closes it: nothing of it sounds any more. */
export function shut() {
  opening += 1;
  recorded.close();
}

/** Begins at once at the beginning; within a recording it must be known first which of its files that place is in. */
export async function open(recording, begin) {
  opening += 1;
  const mine = opening;
  isWhole = recording.state !== 'recording';
  openedAt = Date.now();
  const known = partsOf(recording);
  const parts = (begin > 0 && (await known)) || [{ address: addressOf(`/api/v1/recordings/${seg(recording.id)}/audio`), start: 0 }];
  if (mine !== opening) return;
  // Whoever has sought meanwhile begins there, and as fast as was chosen meanwhile.
  recorded.load(parts, state.position, state.speed);
  if (state.phase !== 'paused') recorded.element.play().catch(told.refused);
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
export let isWhole = true;
let openedAt = 0;
/** What is still written has another address each time, so that nothing shorter that the browser keeps is taken for it. */
const addressOf = (address) => (isWhole ? address : `${address}${address.includes('?') ? '&' : '?'}at=${openedAt.toString(36)}`);
/** So much must have come, in seconds, before it goes on from the edge: it plays on from piece to piece, each as long as this at least. */
const piece = 3;

/** Plays on in what has come since it was opened, or waits for it. */
export async function goOn() {
  opening += 1;
  const mine = opening;
  const at = recorded.time;
  publish({ phase: 'loading', position: at });
  const found = await look();
  if (mine !== opening) return;
  if (found === 'deleted') return told.deleted();
  const { state: stage, seconds } = state.recording;
  const isOver = found === 'there' && stage !== 'recording';
  if (isOver && seconds - at < 0.5) { isWhole = true; return told.ended(); }
  if ((isOver || seconds - at >= piece) && Date.now() - openedAt > 800) return reopen(at);
  setTimeout(() => { if (mine === opening && state.phase === 'loading') goOn(); }, 1000);
}

/** Goes to a place of what is open, or is to be. */
export function goTo(to, mustPlay) {
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

function grew({ id, state: stage, seconds, ended, path, bytes }) {
  if (isWhole || !isRecording(id) || state.owner !== me) return;
  publish({ recording: { ...state.recording, state: stage, seconds, ended, path, bytes }, duration: seconds });
}
on('recording', grew);
setInterval(() => { if (!isWhole && state.owner === me && state.kind === 'recorded' && isSounding()) look(); }, 5000);
