// What is yours: favourites in your order, presets, stations, recordings, and the ways to the rest.
import { h, icon } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { get, set } from '../core/store.js';
import { path, go } from '../core/router.js';
import { section, emptyState, fill, link, screenBox } from '../core/lists.js';
import { remember, failed, toast } from '../core/actions.js';
import { stationRow } from '../parts/station-row.js';
import { reorderable } from '../core/reorder.js';

const doors = [['queue', 'Up Next', '/queue'], ['clock', 'History', '/history'], ['up', 'My collection', '/collection'], ['wand', 'Smart dial', null], ['calendar', 'Schedules', '/recordings/schedules'], ['speed', 'Stats', '/recordings/stats'], ['settings', 'Settings', '/settings']];

async function load() {
  const [favourites, mine, order] = await Promise.all([api.get('stations' + query({ favourites: 1, limit: 1000 })), api.get('stations' + query({ limit: 1000 })), api.get('favourites').catch(() => ({ stations: [] }))]);
  remember([...favourites.stations, ...mine.stations]);
  const place = (station) => { const at = order.stations.indexOf(station.id); return at < 0 ? order.stations.length : at; };
  return { favourites: favourites.stations.sort((a, b) => place(a) - place(b)), mine: mine.stations.filter((station) => station.from === 'added' || station.preset), presets: mine.stations.filter((station) => station.preset) };
}

function presets(found) {
  return h('ol', { class: 'presets' }, Array.from({ length: 9 }, (_, index) => {
    const station = found.find((each) => each.preset === index + 1);
    const put = async () => {
      const { station: playing } = get('player') ?? {};
      if (!playing) return toast('Play a station, then press an empty preset to put it there.');
      try { await api.put(`stations/${seg(playing.id)}/preset`, { number: index + 1 }); go('/library', { replace: true }); toast(`${playing.name} is preset ${index + 1}.`); dispatchEvent(new PopStateEvent('popstate')); } catch (error) { failed(error); }
    };
    return h('li', {}, h('button', { type: 'button', class: station ? 'preset' : 'preset empty', onClick: station ? () => import('../core/player.js').then(({ player }) => player.tune(station, { name: 'Presets', stations: found })) : put, 'aria-label': station ? `Preset ${index + 1}: ${station.name}` : `Preset ${index + 1}: empty` },
      h('b', { class: 'tabular' }, String(index + 1)), h('span', { class: 'one-line', dir: 'auto' }, station?.name ?? 'Empty')));
  }));
}

function favouriteRows(favourites) {
  const rows = h('div', { class: 'rows', role: 'list' }, favourites.map((station) => stationRow(station, { name: 'Favourites', group: 'favourites', stations: favourites })));
  reorderable(rows, { label: (index) => favourites[index].name, moved: async (from, to) => {
    favourites.splice(to, 0, favourites.splice(from, 1)[0]);
    try { await api.put('favourites', { stations: favourites.map((station) => station.id) }); } catch (error) { failed(error); }
  } });
  return rows;
}

function draw({ favourites, mine, presets: found }) {
  return [
    h('nav', { class: 'doors', 'aria-label': 'Library' }, doors.map(([picture, name, to]) => (to ? h('a', { href: path(to) }, icon(picture), h('span', {}, name)) : h('button', { type: 'button', class: 'door', onClick: () => set('sheet', { name: 'dial' }) }, icon(picture), h('span', {}, name))))),
    section('Favourites', favourites.length ? favouriteRows(favourites) : emptyState('heart', 'No favourites yet', 'The heart on a station keeps it here.', link(path('/radio'), 'Find a station', 'pill outline'))),
    section('Presets', presets(found)),
    mine.length ? section('My stations', h('div', { class: 'rows', role: 'list' }, mine.map((station) => stationRow(station, { name: 'My stations', stations: mine })))) : null,
  ];
}

const chips = [['all', 'All'], ['unfinished', 'Unfinished'], ['downloaded', 'Downloaded']];

export function screen({ search }) {
  const chosen = search.get('show') ?? 'all';
  const box = screenBox('Library', h('div', { class: 'chips', role: 'group', 'aria-label': 'Show' }, chips.map(([id, name]) =>
    h('button', { type: 'button', class: 'chip', 'aria-pressed': String(id === chosen), onClick: () => go('/library' + query({ show: id === 'all' ? '' : id }), { replace: true }) }, name))));
  const content = box.appendChild(h('div', {}));
  if (chosen === 'all') fill(content, load, draw);
  else import('./filter.js').then(({ rowsOf }) => content.append(rowsOf({ state: chosen })));
  return box;
}
