// The press of a Record button, wherever it is: the first one begins; while something runs it is shown, with the ways from there.
import { seg } from './api.js';
import { get, set } from './store.js';
import { record, stopRecording } from './actions.js';
import { runningOf } from './running.js';
import { timeOfDay } from './format.js';
import { title } from './recordings.js';
import { songOf } from './keep.js';
import { go } from './router.js';

/** Stations of which a recording has been asked for and is not there yet. */
const beginning = new Set();

async function begin(station) {
  if (beginning.has(station.id)) return;
  beginning.add(station.id);
  const made = await record(station);
  beginning.delete(station.id);
  // The event of it may come later than the next press.
  if (made && !get('running')?.has(made.id)) set('running', new Map(get('running') ?? []).set(made.id, { ...made, station }));
}

/** Stop it, or look at it. */
function ways(recording) {
  const name = songOf(recording.id) ?? `${title(recording)}, since ${timeOfDay(recording.started)}`;
  return [
    { picture: 'stop', text: `Stop ${name}`, act: () => stopRecording(recording.id) },
    { picture: 'info', text: `About ${name}`, act: () => { set('full', false); go(`/recordings/${seg(recording.id)}`); } },
  ];
}

/** A second press is no second recording. */
export function pressRecord(station) {
  const running = runningOf(station.id);
  if (!running.length) return begin(station);
  set('sheet', { name: 'menu', title: `Recording ${station.name}`, items: [...running.flatMap(ways), { picture: 'record', text: 'Begin another recording', act: () => begin(station) }] });
}
