// Discover: charts, genres, countries and languages out of the catalogue.
import { h } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { path } from '../core/router.js';
import { screenBox, section, fill, emptyState, endless, link } from '../core/lists.js';
import { remember } from '../core/actions.js';
import { stationRow } from '../parts/station-row.js';

const countries = (() => { try { return new Intl.DisplayNames(undefined, { type: 'region' }); } catch { return null; } })();
const nameOf = (kind, value) => { if (kind !== 'country') return value; try { return countries?.of(value) ?? value; } catch { return value; } };

function doors(kind, list) {
  return h('ul', { class: 'discover' }, list.slice(0, 24).map(([value, count]) => h('li', {}, h('a', { href: path(`/discover/${kind}:${seg(value)}`) }, h('strong', { class: 'one-line', dir: 'auto' }, nameOf(kind, value)), h('span', { class: 'tabular' }, String(count))))));
}

const chartSize = 5;

async function load() {
  const [counts, stats] = await Promise.all([api.get('stations/counts'), api.get('stats').catch(() => ({ stations: [] }))]);
  const charts = await Promise.all(stats.stations.slice(0, chartSize).map((entry) => api.get(`stations/${seg(entry.id)}`).catch(() => null)));
  return { counts, charts: remember(charts.filter(Boolean)) };
}

function draw({ counts, charts }) {
  if (!counts.stations) return emptyState('globe', 'The catalogue is empty', 'Import a directory or add stations.', link(path('/settings'), 'Settings', 'pill outline'));
  return [charts.length ? section('Charts of the house', h('div', { class: 'rows', role: 'list' }, charts.map((station) => stationRow(station, { name: 'Charts', stations: charts })))) : null,
    ...[['genre', 'Categories'], ['country', 'Countries'], ['language', 'Languages']].map(([kind, name]) => { const list = counts[kind].map((each) => [each.value, each.stations]); return list.length ? section(name, doors(kind, list)) : null; })];
}

export function screen({ parameters: [what] }) {
  if (what) {
    const [kind, ...rest] = what.split(':');
    const value = rest.join(':');
    const list = { name: nameOf(kind, value), stations: [] };
    const rows = endless({ page: async (offset, limit) => { const { stations } = await api.get('stations' + query({ [kind]: value, offset, limit })); list.stations.push(...remember(stations)); return stations; }, row: (station) => stationRow(station, list), empty: () => emptyState('radio', 'No stations here', '', link(path('/discover'), 'Discover', 'pill outline')) });
    rows.reload();
    return screenBox(nameOf(kind, value), rows);
  }
  const box = screenBox('Discover');
  fill(box.appendChild(h('div', {})), load, draw);
  return box;
}
