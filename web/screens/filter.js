// The recordings that fit a filter.
import { h, icon, renew, whenLeft } from '../core/dom.js';
import { get, set, watch } from '../core/store.js';
import { ownFilters } from '../core/filters.js';
import { path } from '../core/router.js';
import { emptyState, fill, link, screenBox } from '../core/lists.js';
import { all, builtIn, swatches, fits } from '../core/recordings.js';
import { recordingList } from '../parts/recording-row.js';

/** The rows that fit rules, with their loading and empty state. */
export function rowsOf(rules) {
  return fill(h('div', {}), all, () => recordingList((rows) => rows.filter((row) => fits(row, rules)), () => emptyState('recordings', 'Nothing fits', 'Recordings that do will be here.', link(path('/recordings'), 'All recordings', 'pill outline'))));
}

const find = (id) => [...builtIn, ...(get('filters') ?? [])].find((filter) => filter.id === id);

function name(box, filter) {
  box.querySelector('h1').replaceChildren(h('span', { class: 'dot-big', style: { '--colour': swatches[(filter.colour - 1) % 12] } }, icon(filter.icon)), filter.name);
  document.title = `${filter.name} · aircheck`;
}

/** The filter as it is now, wherever it was changed: its name, its rows, and what *Change filter* opens. */
function draw(box, id) {
  const content = h('div', {});
  const rows = h('div', {});
  let shown = null;
  const change = h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'pill outline', data: { needs: 'operator' }, onClick: () => set('sheet', { name: 'filter', filter: shown }) }, 'Change filter'));
  const show = () => {
    const [before, filter] = [shown, find(id)];
    shown = filter;
    if (!filter) return renew(content, emptyState('warning', 'There is no such filter', '', link(path('/recordings'), 'Recordings', 'pill outline')));
    name(box, filter);
    if (JSON.stringify(before?.rules) !== JSON.stringify(filter.rules)) renew(rows, rowsOf(filter.rules));
    if (!before) renew(content, ...(builtIn.includes(filter) ? [rows] : [change, rows]));
  };
  show();
  whenLeft(content, watch('filters', show, { now: false }));
  return content;
}

export function screen({ parameters: [id] }) {
  const box = screenBox('Filter');
  box.dataset.side = 'recorded';
  fill(box.appendChild(h('div', {})), () => Promise.all([ownFilters(), all()]), () => draw(box, id));
  return box;
}
