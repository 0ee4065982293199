// The library of recordings: what is being recorded, what was begun, shows, filters, everything.
import { h, icon, iconButton } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { get, set, watch } from '../core/store.js';
import { path } from '../core/router.js';
import { section, emptyState, fill, link, screenBox } from '../core/lists.js';
import { all, shows, builtIn, swatches, fits, isBeingWritten } from '../core/recordings.js';
import { recordingList } from '../parts/recording-row.js';
import { shelf } from '../parts/continue-shelf.js';
import { stationTile } from '../parts/station-tile.js';
import { paint } from '../core/tint.js';

/** A show in the grid: its picture, what is unplayed. */
function showTile(show) {
  const tile = h('li', {}, h('a', { class: 'show-tile', href: path(`/recordings/show/${encodeURIComponent(show.key)}`), 'aria-label': `${show.name}, ${show.recordings.length} ${show.recordings.length === 1 ? 'recording' : 'recordings'}, ${show.unplayed} unplayed` },
    stationTile(show.station, 'card'), show.unplayed ? h('b', { class: 'badge tabular' }, show.unplayed > 99 ? '99+' : String(show.unplayed)) : null,
    h('strong', { class: 'one-line', dir: 'auto' }, show.name), h('span', { class: 'one-line' }, show.isSeries ? show.station.name : 'Recorded by hand')));
  paint(tile, show.recordings[0]);
  return tile;
}

function filterCards(rows, own) {
  return h('ul', { class: 'filters' }, [...builtIn, ...own].map((filter) => h('li', {}, h('a', { class: 'filter-card', href: path(`/recordings/filter/${seg(filter.id)}`), style: { '--colour': swatches[(filter.colour - 1) % 12] } },
    icon(filter.icon, { solid: filter.icon === 'star' }), h('strong', { class: 'one-line', dir: 'auto' }, filter.name), h('span', { class: 'tabular' }, String(rows.filter((row) => fits(row, filter.rules)).length))))),
  h('li', {}, h('button', { type: 'button', class: 'filter-card new', data: { needs: 'operator' }, onClick: () => set('sheet', { name: 'filter' }) }, icon('plus'), h('strong', {}, 'New filter'))));
}

/** What is being recorded, each with the live control, and what the clock will start next. */
function running() {
  const box = h('div', {});
  const show = () => {
    const rows = (get('recordings') ?? []).filter(isBeingWritten);
    box.replaceChildren(...(rows.length ? [section('Recording now', recordingList((each) => each.filter(isBeingWritten), () => h('span', {})))] : []));
  };
  let count = -1;
  const end = watch('recordings', (rows) => { const now = rows.filter(isBeingWritten).length; if (now !== count) { count = now; show(); } });
  const ended = new MutationObserver(() => { if (!box.isConnected) { end(); ended.disconnect(); } });
  requestAnimationFrame(() => ended.observe(document.getElementById('screen'), { childList: true }));
  return box;
}

async function load() {
  const [rows, filters] = await Promise.all([all(), api.get('filters').catch(() => ({ filters: [] }))]);
  return { rows, own: filters.filters, begun: await shelf(3) };
}

function draw({ rows, own, begun }) {
  if (!rows.length) return emptyState('recordings', 'Nothing recorded yet', 'Record what plays, keep a song, or let a schedule do it.', h('div', { class: 'buttons' }, link(path('/radio'), 'Find a station', 'pill primary'), link(path('/recordings/schedules'), 'Schedules', 'pill outline')));
  const grid = h('ul', { class: 'show-grid' }, shows(rows).map(showTile));
  return [running(), begun, section('Shows', grid), section('Filters', filterCards(rows, own)), section('All recordings', recordingList((each) => each.filter((row) => fits(row, {}) && !isBeingWritten(row)), () => emptyState('archive', 'Everything is archived', '')))];
}

export function screen() {
  const box = screenBox('Recordings');
  box.dataset.side = 'recorded';
  const heading = box.firstChild;
  box.prepend(h('div', { class: 'heading' }, heading, h('div', { class: 'tools' }, h('a', { class: 'round', href: path('/recordings/schedules'), 'aria-label': 'Schedules', title: 'Schedules' }, icon('calendar')), h('a', { class: 'round', href: path('/recordings/stats'), 'aria-label': 'Stats', title: 'Stats' }, icon('speed')), iconButton('queue', 'Up Next', () => set('sheet', { name: 'queue' })))));
  fill(box.appendChild(h('div', {})), load, draw);
  return box;
}
