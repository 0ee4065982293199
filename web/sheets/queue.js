// Up Next.
import { h, icon, iconButton } from '../core/dom.js';
import { get, watch } from '../core/store.js';
import { queue } from '../core/queue.js';
import { all, title } from '../core/recordings.js';
import { player } from '../core/player.js';
import { length } from '../core/format.js';
import { reorderable } from '../core/reorder.js';
import { emptyState } from '../core/lists.js';
import { stationTile } from '../parts/station-tile.js';

/** The queue as a list that can be moved about. */
export function queueList() {
  const box = h('div', { class: 'queue', data: { side: 'recorded' } });
  const show = async () => {
    let rows;
    try { rows = await all(); } catch (error) {
      return box.replaceChildren(emptyState('warning', error.message, error.remedy, h('button', { type: 'button', class: 'pill outline', onClick: show }, 'Try again')));
    }
    const found = (get('queue') ?? []).map((id) => rows.find((row) => row.id === id)).filter(Boolean);
    if (!found.length) return box.replaceChildren(emptyState('queue', 'Nothing is up next', '“Play next” on a recording puts it here.'));
    const list = h('ol', { class: 'rows' }, found.map((recording) => h('li', { class: 'queue-row' }, stationTile(recording.station),
      h('button', { type: 'button', class: 'stack', 'aria-label': `Play ${title(recording)}`, onClick: () => { player.listen(recording, null); queue.remove(recording.id); } }, h('strong', { class: 'one-line', dir: 'auto' }, title(recording)), h('small', { class: 'one-line' }, `${recording.station.name} · ${length(recording.seconds)}`)),
      iconButton('close', `Take ${title(recording)} out`, () => queue.remove(recording.id)))));
    reorderable(list, { label: (index) => title(found[index]), moved: (from, to) => queue.move(found[from].id, found[to].id) });
    box.replaceChildren(list, h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'pill outline', onClick: () => queue.shuffle() }, icon('shuffle'), 'Shuffle'), h('button', { type: 'button', class: 'pill outline', onClick: () => queue.clear() }, 'Clear')));
  };
  const end = watch('queue', show);
  const ended = new MutationObserver(() => { if (!box.isConnected) { end(); ended.disconnect(); } });
  requestAnimationFrame(() => ended.observe(document.querySelector('app-shell'), { childList: true, subtree: true }));
  return box;
}

export function sheet() { return { title: 'Up Next', content: queueList() }; }
