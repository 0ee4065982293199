// What is worth hearing now: what was played, what is on air that you like, what was recorded.
import { h } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { get } from '../core/store.js';
import { path } from '../core/router.js';
import { section, emptyState, fill, link, screenBox } from '../core/lists.js';
import { airing, subline } from '../core/format.js';
import { player, isLive, isSounding } from '../core/player.js';
import { remember } from '../core/actions.js';
import { stationRow } from '../parts/station-row.js';
import { stationTile } from '../parts/station-tile.js';

const liked = (stations, airingNow, thumbs) => {
  const songs = new Set(thumbs.filter((thumb) => thumb.direction === 'up').map((thumb) => `${thumb.artist ?? ''}\n${thumb.title}`));
  const artists = new Set(thumbs.filter((thumb) => thumb.direction === 'up').map((thumb) => thumb.artist).filter(Boolean));
  return stations.filter((station) => {
    const mark = airingNow.get(station.id);
    return mark && (songs.has(`${mark.artist ?? ''}\n${mark.title}`) || artists.has(mark.artist));
  });
};

/** Recommended: favourites first, then the genres of what was played and loved, then the rest of the list. */
function recommended(stations, favourites, history) {
  const genres = new Map();
  for (const station of [...favourites, ...history]) for (const tag of [station.genre, ...(station.tags ?? [])].filter(Boolean)) genres.set(tag.toLowerCase(), (genres.get(tag.toLowerCase()) ?? 0) + 1);
  const score = (station) => [station.genre, ...(station.tags ?? [])].filter(Boolean).reduce((sum, tag) => sum + (genres.get(tag.toLowerCase()) ?? 0), 0) + (station.favourite ? 3 : 0) + (get('airing')?.has(station.id) ? 1 : 0);
  return [...stations].map((station, index) => [score(station), index, station]).sort((a, b) => b[0] - a[0] || a[1] - b[1]).map(([, , station]) => station);
}

function card(station, list) {
  const mark = get('airing')?.get(station.id);
  const press = () => (isLive(station.id) && isSounding() ? player.stop() : player.tune(station, list));
  return h('li', {}, h('button', { type: 'button', class: 'station-card', onClick: press, 'aria-label': `Listen to ${station.name}` },
    stationTile(station, 'card'), h('strong', { class: 'one-line', dir: 'auto' }, station.name), h('span', { class: 'one-line', dir: 'auto' }, airing(mark) || subline(station) || 'Web radio')));
}

async function load() {
  const [all, favourites, past, thumbs, recordings] = await Promise.all([
    api.get('stations' + query({ limit: 60 })),
    api.get('stations' + query({ favourites: 1, limit: 200 })),
    api.get('history' + query({ kind: 'station', limit: 12 })).catch(() => ({ history: [] })),
    api.get('thumbs').catch(() => ({ thumbs: [] })),
    api.get('recordings' + query({ limit: 6 })).catch(() => ({ recordings: [] })),
  ]);
  remember([...all.stations, ...favourites.stations]);
  const played = [];
  for (const entry of past.history) {
    const station = get('stations').get(entry.station?.id) ?? await api.get(`stations/${seg(entry.station.id)}`).catch(() => null);
    if (station && !played.some((each) => each.id === station.id)) played.push(station);
  }
  return { stations: all.stations, favourites: favourites.stations, played: remember(played), thumbs: thumbs.thumbs, recordings: recordings.recordings };
}

async function drawRecordings(recordings) {
  if (!recordings.length) return [];
  const { recordingRow } = await import('../parts/recording-row.js');
  return [section('Newest recordings', h('div', { class: 'rows', role: 'list' }, recordings.map((recording) => recordingRow(recording, recordings))), link(path('/recordings'), 'All recordings'))];
}

async function continueShelf() {
  const { shelf } = await import('../parts/continue-shelf.js').catch(() => ({}));
  return shelf ? shelf() : null;
}

function draw({ stations, favourites, played, thumbs, recordings }) {
  if (!stations.length) return emptyState('radio', 'No stations yet', 'Add one, or let the service read your station files.', link(path('/settings'), 'Add a station', 'pill primary'));
  const pick = recommended(stations, favourites, played);
  const list = { name: 'For You', stations: pick };
  const onAir = liked([...new Map([...favourites, ...stations].map((station) => [station.id, station])).values()], get('airing') ?? new Map(), thumbs);
  const later = h('div', {});
  Promise.all([continueShelf(), drawRecordings(recordings)]).then(([begun, rows]) => later.replaceChildren(...[begun, ...rows].filter(Boolean)), () => {});
  return [
    section('Recommended now', h('ul', { class: 'shelf' }, pick.slice(0, 12).map((station) => card(station, list))), link(path('/radio'), 'All stations')),
    onAir.length ? section('On air now that you like', h('div', { class: 'rows', role: 'list' }, onAir.slice(0, 4).map((station) => stationRow(station, { name: 'On air now', stations: onAir })))) : null,
    played.length ? section('Recently played', h('div', { class: 'rows', role: 'list' }, played.slice(0, 4).map((station) => stationRow(station, { name: 'Recently played', stations: played }))), link(path('/history'), 'History')) : null,
    favourites.length ? section('Favourites', h('div', { class: 'rows', role: 'list' }, favourites.slice(0, 6).map((station) => stationRow(station, { name: 'Favourites', group: 'favourites', stations: favourites }))), link(path('/library'), 'Library')) : null,
    later,
  ];
}

export function screen() {
  const box = screenBox('For You');
  fill(box.appendChild(h('div', {})), load, draw);
  return box;
}
