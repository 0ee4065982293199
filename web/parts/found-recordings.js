// The recordings that words find, kept true while they are shown.
import { h, whenLeft } from '../core/dom.js';
import { api, query } from '../core/api.js';
import { watch } from '../core/store.js';
import { on } from '../core/events.js';
import { section, keyed } from '../core/lists.js';
import { isBeingWritten, isForgotten } from '../core/recordings.js';
import { recordingRow } from './recording-row.js';

const limit = 12;
/** Much that happens at once is looked at once; in milliseconds. */
const pause = 300;
/** After these other recordings may have the words. */
const events = ['recording', 'recording-title', 'recording-deleted', 'again'];

/** The newest that have the words. */
export const findRecordings = async (text) => (await api.get('recordings' + query({ query: text, limit }))).recordings;

/** Of what is still recorded no length is shown: that it has grown is no reason to draw it anew. */
const says = (recording) => (isBeingWritten(recording) ? { ...recording, seconds: 0, bytes: 0 } : recording);

/** A section of them, out of sight while there are none. `show(rows)` brings it up to date, and tells how many there are; without rows it
 *  leaves out what was deleted since. */
export function recordingsSection() {
  const list = h('div', { class: 'rows', role: 'list' });
  const box = section('Recordings', list);
  const draw = keyed(list, { key: ({ id }) => id, says, make: recordingRow });
  let known = [];
  const show = (rows = known) => {
    known = rows;
    const there = rows.filter(({ id }) => !isForgotten(id));
    box.hidden = !there.length;
    draw(there);
    return there.length;
  };
  return { box, show };
}

/** Calls back with what the words of the moment find, whenever that may be something else, and without rows where one was deleted: until a
 *  part has left the page. */
export function followFound(part, words, callback) {
  let timer = 0;
  let round = 0;
  const look = async () => {
    timer = 0;
    const [mine, text] = [++round, words()];
    const rows = text ? await findRecordings(text).catch(() => null) : null;
    if (rows && mine === round && text === words()) callback(rows);
  };
  const soon = () => { timer ||= setTimeout(look, pause); };
  const ends = [...events.map((name) => on(name, soon)), watch('recordings', soon, { now: false }), watch('forgotten', () => callback(), { now: false })];
  whenLeft(part, () => { clearTimeout(timer); ends.forEach((end) => end()); });
}
