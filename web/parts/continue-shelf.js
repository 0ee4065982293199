// Continue listening: what was begun, with a ring and what is left.
import { h, icon } from '../core/dom.js';
import { path } from '../core/router.js';
import { seg } from '../core/api.js';
import { player } from '../core/player.js';
import { all, isBegun, title, isTalk, followRecordings } from '../core/recordings.js';
import { eyebrow, longLeft } from '../core/format.js';
import { section, keyed } from '../core/lists.js';
import { stationTile } from './station-tile.js';
import { progressRing } from './progress-ring.js';
import { paint } from '../core/tint.js';

function row(recording) {
  const ring = progressRing();
  ring.set(recording.listening.position / recording.seconds);
  const made = h('li', { data: isTalk(recording) ? { room: 'reading' } : {} }, h('div', { class: 'ringed' }, stationTile(recording.station), ring),
    h('a', { class: 'stack', href: path(`/recordings/${seg(recording.id)}`) }, h('strong', { class: 'one-line', dir: 'auto' }, title(recording)), h('span', { class: 'one-line', dir: 'auto' }, `${eyebrow(recording.started)} · ${recording.station.name}`), h('small', { class: 'tabular' }, leftOf(recording))),
    h('button', { type: 'button', class: 'go', 'aria-label': `Continue ${title(recording)}`, onClick: () => player.listen(recording, null) }, icon('play')));
  paint(made, recording);
  return made;
}

const leftOf = (recording) => longLeft(recording.seconds - recording.listening.position);

/** The shelf, out of sight while nothing is begun. */
export async function shelf(limit = 8) {
  await all();
  const list = h('ul', { class: 'continue', data: { side: 'recorded' } });
  const box = section('Continue listening', list);
  const show = keyed(list, { key: ({ id }) => id, says: (recording) => [title(recording), leftOf(recording)], make: row });
  followRecordings(box, (rows) => {
    const begun = rows.filter(isBegun).slice(0, limit);
    box.hidden = !begun.length;
    show(begun);
  });
  return box;
}
