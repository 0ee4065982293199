// What is yours: favourites in your order, presets, stations, recordings, and the ways to the rest.
import { h, icon, iconButton } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { get, set } from '../core/store.js';
import { path, go } from '../core/router.js';
import { section, emptyState, fillAndFollow, link, screenBox } from '../core/lists.js';
import { remember, failed, toast } from '../core/actions.js';
import { player } from '../core/player.js';
import { warmOn } from '../core/warm.js';
import { may } from '../core/role.js';
import { stationRow } from '../parts/station-row.js';
import { reorderable } from '../core/reorder.js';

const doors = [['queue', 'Up Next', '/queue'], ['clock', 'History', '/history'], ['up', 'My collection', '/collection'], ['wand', 'Smart dial', null], ['calendar', 'Schedules', '/recordings/schedules'], ['speed', 'Stats', '/recordings/stats'], ['settings', 'Settings', '/settings']];

async function load() {
  const [favourites, mine, order] = await Promise.all([api.get('stations' + query({ favourites: 1, limit: 1000 })), api.get('stations/own'), api.get('favourites').catch(() => ({ stations: [] }))]);
  remember([...favourites.stations, ...mine.presets, ...mine.added]);
  const place = (station) => { const at = order.stations.indexOf(station.id); return at < 0 ? order.stations.length : at; };
  return { favourites: favourites.stations.sort((a, b) => place(a) - place(b)), mine: [...new Map([...mine.presets, ...mine.added].map((station) => [station.id, station])).values()], presets: mine.presets };
}

function presets(found, reload) {
  const change = async (work, text) => { try { await work(); reload(); toast(text); } catch (error) { failed(error); } };
  const put = (number) => {
    const { station } = get('player') ?? {};
    if (!station) return toast('Play a station first, then put it on a preset.');
    return change(() => api.put(`stations/${seg(station.id)}/preset`, { number }), `${station.name} is preset ${number}.`);
  };
  const empty = (station, number) => change(() => api.delete(`stations/${seg(station.id)}/preset`), `Preset ${number} is empty.`);
  const choices = (station, number) => {
    const playing = get('player')?.station;
    return [
      playing && playing.id !== station.id ? { picture: 'plus', text: `Put ${playing.name} here`, act: () => put(number) } : null,
      { picture: 'close', text: 'Empty this preset', act: () => empty(station, number) },
    ].filter(Boolean);
  };
  return h('ol', { class: 'presets' }, Array.from({ length: 9 }, (_, index) => {
    const number = index + 1;
    const station = found.find((each) => each.preset === number);
    const button = h('button', { type: 'button', class: station ? 'preset' : 'preset empty', data: station ? {} : { needs: 'operator' }, onClick: station ? () => player.tune(station, { name: 'Presets', stations: found }) : () => put(number), 'aria-label': station ? `Preset ${number}: ${station.name}` : `Preset ${number}: empty` },
      h('b', { class: 'tabular' }, String(number)), h('span', { class: 'one-line', dir: 'auto' }, station?.name ?? 'Empty'));
    if (station) warmOn(button, () => station);
    return h('li', { data: { key: `preset ${number}` } }, button, station ? iconButton('more', `Change preset ${number}`, () => set('sheet', { name: 'menu', title: `Preset ${number}`, items: choices(station, number) }), { data: { needs: 'operator' } }) : null);
  }));
}

/** Each row is known by its list too: a station may be in both. */
function stationRows(list) {
  const rows = list.stations.map((station) => stationRow(station, list));
  for (const row of rows) row.dataset.key = `${list.name} ${row.station.id}`;
  return h('div', { class: 'rows', role: 'list' }, rows);
}

function favouriteRows(favourites) {
  const rows = stationRows({ name: 'Favourites', group: 'favourites', stations: favourites });
  if (may('operator')) reorderable(rows, { label: (index) => favourites[index].name, moved: async (from, to) => {
    favourites.splice(to, 0, favourites.splice(from, 1)[0]);
    try { await api.put('favourites', { stations: favourites.map((station) => station.id) }); } catch (error) { failed(error); }
  } });
  return rows;
}

function draw({ favourites, mine, presets: found }, reload) {
  return [
    h('nav', { class: 'doors', 'aria-label': 'Library', data: { key: 'doors' } }, doors.map(([picture, name, to]) => (to ? h('a', { href: path(to) }, icon(picture), h('span', {}, name)) : h('button', { type: 'button', class: 'door', data: { needs: 'operator' }, onClick: () => set('sheet', { name: 'dial' }) }, icon(picture), h('span', {}, name))))),
    section('Favourites', favourites.length ? favouriteRows(favourites) : emptyState('heart', 'No favourites yet', 'The heart on a station keeps it here.', link(path('/radio'), 'Find a station', 'pill outline'))),
    found.length || may('operator') ? section('Presets', presets(found, reload)) : null,
    mine.length ? section('My stations', stationRows({ name: 'My stations', stations: mine })) : null,
  ];
}

const chips = [['all', 'All'], ['unfinished', 'Unfinished'], ['downloaded', 'Downloaded']];

export function screen({ search }) {
  const chosen = search.get('show') ?? 'all';
  const box = screenBox('Library', h('div', { class: 'chips', role: 'group', 'aria-label': 'Show' }, chips.map(([id, name]) =>
    h('button', { type: 'button', class: 'chip', 'aria-pressed': String(id === chosen), onClick: () => go('/library' + query({ show: id === 'all' ? '' : id }), { replace: true }) }, name))));
  const content = box.appendChild(h('div', {}));
  if (chosen === 'all') fillAndFollow(content, ['favourites', 'stations'], load, draw);
  else import('./filter.js').then(({ rowsOf }) => content.append(rowsOf({ state: chosen })));
  return box;
}
