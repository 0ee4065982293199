// The library of recordings: what is being recorded, what was begun, shows, filters, everything.
import { h, icon, iconButton, renew, whenLeft } from '../core/dom.js';
import { seg } from '../core/api.js';
import { get, set, watch } from '../core/store.js';
import { path } from '../core/router.js';
import { section, emptyState, fill, keyed, link, screenBox } from '../core/lists.js';
import { shows, builtIn, swatches, fits, isBeingWritten, followRecordings } from '../core/recordings.js';
import { ownFilters } from '../core/filters.js';
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

/** A filter and how many fit it; the last card makes another. */
function filterCard({ filter, count }) {
  if (!filter) return h('li', {}, h('button', { type: 'button', class: 'filter-card new', data: { needs: 'operator' }, onClick: () => set('sheet', { name: 'filter' }) }, icon('plus'), h('strong', {}, 'New filter')));
  return h('li', {}, h('a', { class: 'filter-card', href: path(`/recordings/filter/${seg(filter.id)}`), style: { '--colour': swatches[(filter.colour - 1) % 12] } },
    icon(filter.icon, { solid: filter.icon === 'star' }), h('strong', { class: 'one-line', dir: 'auto' }, filter.name), h('span', { class: 'tabular' }, String(count))));
}

/** Each of these gives a section, and what brings it up to date. */
function showsPart() {
  const list = h('ul', { class: 'show-grid' });
  const show = keyed(list, { key: ({ key }) => key, says: ({ name, station, recordings, unplayed }) => [name, station, recordings.length, unplayed], make: showTile });
  return [section('Shows', list), (rows) => show(shows(rows))];
}

function filtersPart() {
  const list = h('ul', { class: 'filters' });
  const show = keyed(list, { key: ({ filter }) => filter?.id ?? '+', says: (card) => card, make: filterCard });
  const counted = (rows) => [...builtIn, ...(get('filters') ?? [])].map((filter) => ({ filter, count: rows.filter((row) => fits(row, filter.rules)).length }));
  return [section('Filters', list), (rows) => show([...counted(rows), {}])];
}

/** What is being recorded, each with the live control. */
function runningPart() {
  const box = section('Recording now', recordingList((each) => each.filter(isBeingWritten), () => h('span', {})));
  return [box, (rows) => { box.hidden = !rows.some(isBeingWritten); }];
}

const nothing = () => emptyState('recordings', 'Nothing recorded yet', 'Record what plays, keep a song, or let a schedule do it.', h('div', { class: 'buttons' }, link(path('/radio'), 'Find a station', 'pill primary'), link(path('/recordings/schedules'), 'Schedules', 'pill outline')));

const everything = () => section('All recordings', recordingList((each) => each.filter((row) => fits(row, {}) && !isBeingWritten(row)), () => emptyState('archive', 'Everything is archived', '')));

async function load() {
  const [begun] = await Promise.all([shelf(3), ownFilters()]);
  return begun;
}

/** All of it follows what is recorded, marked and filtered, wherever that is done. */
function draw(begun) {
  const box = h('div', {});
  const [[running, showRunning], [grid, showGrid], [filters, showFilters]] = [runningPart(), showsPart(), filtersPart()];
  const parts = [running, begun, grid, filters, everything()];
  let isEmpty = null;
  followRecordings(box, (rows) => {
    for (const show of [showRunning, showGrid, showFilters]) show(rows);
    if (isEmpty === !rows.length) return;
    isEmpty = !rows.length;
    renew(box, ...(isEmpty ? [nothing()] : parts));
  });
  whenLeft(box, watch('filters', () => showFilters(get('recordings') ?? []), { now: false }));
  return box;
}

export function screen() {
  const box = screenBox('Recordings');
  box.dataset.side = 'recorded';
  const heading = box.firstChild;
  box.prepend(h('div', { class: 'heading' }, heading, h('div', { class: 'tools' }, h('a', { class: 'round', href: path('/recordings/schedules'), 'aria-label': 'Schedules', title: 'Schedules' }, icon('calendar')), h('a', { class: 'round', href: path('/recordings/stats'), 'aria-label': 'Stats', title: 'Stats' }, icon('speed')), iconButton('queue', 'Up Next', () => set('sheet', { name: 'queue' })))));
  fill(box.appendChild(h('div', {})), load, draw);
  return box;
}
