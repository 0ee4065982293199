// The newest recordings as a section of a screen that is about something else: they come, change and go there as everywhere.
import { h } from '../core/dom.js';
import { all, fits, followRecordings } from '../core/recordings.js';
import { section } from '../core/lists.js';
import { recordingList } from './recording-row.js';

/** So many of those that `isMeant` says, out of sight while there are none. */
export async function newestRecordings(name, count, { isMeant = () => true, more = null } = {}) {
  await all();
  const choose = (rows) => rows.filter((row) => fits(row, {}) && isMeant(row)).slice(0, count);
  const box = section(name, recordingList(choose, () => h('span', {})), more);
  box.dataset.side = 'recorded';
  followRecordings(box, (rows) => { box.hidden = !choose(rows).length; });
  return box;
}
