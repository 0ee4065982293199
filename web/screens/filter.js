// The recordings that fit a filter.
import { h, icon } from '../core/dom.js';
import { api } from '../core/api.js';
import { set } from '../core/store.js';
import { path } from '../core/router.js';
import { emptyState, fill, link, screenBox } from '../core/lists.js';
import { all, builtIn, swatches, fits } from '../core/recordings.js';
import { recordingList } from '../parts/recording-row.js';

/** The rows that fit rules, with their loading and empty state. */
export function rowsOf(rules) {
  return fill(h('div', {}), all, () => recordingList((rows) => rows.filter((row) => fits(row, rules)), () => emptyState('recordings', 'Nothing fits', 'Recordings that do will be here.', link(path('/recordings'), 'All recordings', 'pill outline'))));
}

async function load(id) {
  const own = await api.get('filters').catch(() => ({ filters: [] }));
  await all();
  return [...builtIn, ...own.filters].find((filter) => filter.id === id);
}

export function screen({ parameters: [id] }) {
  const box = screenBox('Filter');
  box.dataset.side = 'recorded';
  const content = box.appendChild(h('div', {}));
  fill(content, () => load(id), (filter) => {
    if (!filter) return emptyState('warning', 'There is no such filter', '', link(path('/recordings'), 'Recordings', 'pill outline'));
    box.querySelector('h1').replaceChildren(h('span', { class: 'dot-big', style: { '--colour': swatches[(filter.colour - 1) % 12] } }, icon(filter.icon)), filter.name);
    document.title = `${filter.name} · aircheck`;
    const isOwn = !builtIn.includes(filter);
    return [isOwn ? h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'pill outline', data: { needs: 'operator' }, onClick: () => set('sheet', { name: 'filter', filter }) }, 'Change filter')) : null, rowsOf(filter.rules)];
  });
  return box;
}
