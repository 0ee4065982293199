// Up Next.
import { h, icon, iconButton, renew } from '../core/dom.js';
import { get, watch } from '../core/store.js';
import { queue } from '../core/queue.js';
import { all, title } from '../core/recordings.js';
import { player } from '../core/player.js';
import { may } from '../core/role.js';
import { eyebrow, length, timeOfDay } from '../core/format.js';
import { reorderable } from '../core/reorder.js';
import { brokenState, emptyState } from '../core/lists.js';
import { stationTile } from '../parts/station-tile.js';

/** What tells the recordings of one show apart. */
const day = ({ started }) => `${eyebrow(started)} · ${timeOfDay(started)}`;

/** The queue as a list that can be moved about. */
export function queueList() {
  const box = h('div', { class: 'queue', data: { side: 'recorded' } });
  let shown = null;
  const show = async () => {
    let rows;
    try { rows = await all(); } catch (error) {
      shown = null;
      return box.replaceChildren(brokenState(error, show));
    }
    const found = (get('queue') ?? []).map((id) => rows.find((row) => row.id === id)).filter(Boolean);
    // What stands there already stays: a row that somebody holds must not be taken out of their hand.
    const now = found.map(({ id }) => id).join();
    if (now === shown) return;
    if (box.querySelector('.dragged')) { box.addEventListener('dropped', () => show(), { once: true }); return; }
    shown = now;
    if (!found.length) return renew(box, emptyState('queue', 'Nothing is up next', '“Play next” on a recording puts it here.'));
    const list = h('ol', { class: 'rows' }, found.map((recording) => h('li', { class: 'queue-row', data: { key: recording.id } }, stationTile(recording.station),
      h('button', { type: 'button', class: 'stack', 'aria-label': `Play ${title(recording)}, ${day(recording)}`, onClick: () => { player.listen(recording, null, true); if (may('operator')) queue.remove(recording.id); } }, h('strong', { class: 'one-line', dir: 'auto' }, title(recording)), h('small', { class: 'one-line' }, `${day(recording)} · ${recording.station.name} · ${length(recording.seconds)}`)),
      iconButton('close', `Take ${title(recording)} out, ${day(recording)}`, () => queue.remove(recording.id), { data: { needs: 'operator' } }))));
    if (may('operator')) reorderable(list, { label: (index) => title(found[index]), moved: (from, to) => { const [one, other] = [found[from].id, found[to].id]; found.splice(to, 0, found.splice(from, 1)[0]); shown = found.map(({ id }) => id).join(); queue.move(one, other); } });
    renew(box, list, h('div', { class: 'buttons', data: { needs: 'operator' } }, h('button', { type: 'button', class: 'pill outline', onClick: () => queue.shuffle() }, icon('shuffle'), 'Shuffle'), h('button', { type: 'button', class: 'pill outline', onClick: () => queue.clear() }, 'Clear')));
  };
  const ends = [watch('queue', show), watch('recordings', show, { now: false })];
  const ended = new MutationObserver(() => { if (!box.isConnected) { for (const end of ends) end(); ended.disconnect(); } });
  requestAnimationFrame(() => ended.observe(document.querySelector('app-shell'), { childList: true, subtree: true }));
  return box;
}

export function sheet() { return { title: 'Up Next', content: queueList() }; }
