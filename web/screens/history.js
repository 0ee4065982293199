// What was played: stations and recordings. It can be cleared, and paused.
import { h } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { path } from '../core/router.js';
import { screenBox, emptyState, fillAndFollow, link } from '../core/lists.js';
import { dateAndTime } from '../core/format.js';
import { failed, unlessUndone } from '../core/actions.js';
import { title } from '../core/recordings.js';
import { stationTile } from '../parts/station-tile.js';

function draw({ history, paused }, again) {
  const change = (text, act) => h('button', { type: 'button', class: 'pill outline', data: { needs: 'operator' }, onClick: async () => { try { await act(); again(); } catch (error) { failed(error); } } }, text);
  const tools = h('div', { class: 'buttons' }, change(paused ? 'Write history again' : 'Pause history', () => api.put('history/paused', { value: !paused })), history.length ? change('Clear history', () => clear(again)) : null);
  const row = (entry) => {
    const isStation = entry.kind === 'station';
    const to = isStation ? path(`/station/${seg(entry.station.id)}`) : path(`/recordings/${seg(entry.recording.id)}`);
    return h('li', { data: { key: entry.at, ...(isStation ? {} : { side: 'recorded' }) } }, stationTile(isStation ? entry.station : entry.recording.station), h('a', { class: 'stack', href: to }, h('strong', { class: 'one-line', dir: 'auto' }, isStation ? entry.station.name : title(entry.recording)), h('small', {}, `${isStation ? 'Station' : 'Recording'} · ${dateAndTime(entry.at)}`)));
  };
  return [tools, history.length ? h('ul', { class: 'plain-list history' }, history.map(row)) : emptyState('clock', paused ? 'History is paused' : 'Nothing was played yet', paused ? 'Nothing is written down until it is taken up again.' : 'Stations and recordings you play are listed here.', link(path('/radio'), 'Find a station', 'pill outline'))];
}

/** It is shown as empty, and will be. */
let isClearing = false;

/** Clears it once that cannot be taken back any more. */
function clear(again) {
  isClearing = true;
  const end = (job) => () => { isClearing = false; return job(); };
  unlessUndone('The history is empty.', { act: end(() => api.delete('history').catch(failed)), undo: end(again), last: end(() => api.deleteLast('history')) });
}

export function screen() {
  const box = screenBox('History');
  const content = box.appendChild(h('div', {}));
  fillAndFollow(content, ['history'], async () => { const found = await api.get('history' + query({ limit: 200 })); return isClearing ? { ...found, history: [] } : found; }, draw);
  return box;
}
