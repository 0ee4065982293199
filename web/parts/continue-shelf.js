// Continue listening: what was begun, with a ring and what is left.
import { h, icon } from '../core/dom.js';
import { path } from '../core/router.js';
import { seg } from '../core/api.js';
import { player } from '../core/player.js';
import { all, isBegun, title, isTalk } from '../core/recordings.js';
import { longLeft } from '../core/format.js';
import { section } from '../core/lists.js';
import { stationTile } from './station-tile.js';
import { progressRing } from './progress-ring.js';
import { paint } from '../core/tint.js';

/** The shelf, or null where nothing is begun. */
export async function shelf(limit = 8) {
  const begun = (await all()).filter(isBegun).slice(0, limit);
  if (!begun.length) return null;
  return section('Continue listening', h('ul', { class: 'continue', data: { side: 'recorded' } }, begun.map((recording) => {
    const ring = progressRing();
    ring.set(recording.listening.position / recording.seconds);
    const row = h('li', { data: isTalk(recording) ? { room: 'reading' } : {} }, h('div', { class: 'ringed' }, stationTile(recording.station), ring),
      h('a', { class: 'stack', href: path(`/recordings/${seg(recording.id)}`) }, h('strong', { class: 'one-line', dir: 'auto' }, title(recording)), h('span', { class: 'one-line', dir: 'auto' }, recording.station.name), h('small', { class: 'tabular' }, longLeft(recording.seconds - recording.listening.position))),
      h('button', { type: 'button', class: 'go', 'aria-label': `Continue ${title(recording)}`, onClick: () => player.listen(recording, null) }, icon('play')));
    paint(row, recording);
    return row;
  })));
}
