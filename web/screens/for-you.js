// What is worth hearing now: what fits thumbs and history, what was played, what is on air that you like, what was recorded.
import { h, setText, whenLeft } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { get, watch } from '../core/store.js';
import { path } from '../core/router.js';
import { section, emptyState, fill, keyed, link, screenBox } from '../core/lists.js';
import { airing, subline } from '../core/format.js';
import { player, isTuned, markOf } from '../core/player.js';
import { warmOn } from '../core/warm.js';
import { chaptersOf } from '../core/chapters.js';
import { remember } from '../core/actions.js';
import { known as knownRecording, followRecordings } from '../core/recordings.js';
import { taste, favouriteGenres, likedNow, recommended } from '../core/recommend.js';
import { stationRow } from '../parts/station-row.js';
import { stationTile } from '../parts/station-tile.js';

/** Stations that are looked up one by one, at most. */
const lookUps = 16;
/** Entries of the history on this screen. */
const recents = 5;

function card(station, list) {
  const press = () => (isTuned(station.id) ? player.stop() : player.tune(station, list));
  const line = h('span', { class: 'one-line', dir: 'auto' });
  const button = h('button', { type: 'button', class: 'station-card', onClick: press },
    stationTile(station, 'card'), h('strong', { class: 'one-line', dir: 'auto' }, station.name), line);
  const show = () => {
    const isOn = isTuned(station.id);
    button.setAttribute('aria-label', `${isOn ? 'Stop' : 'Listen to'} ${station.name}`);
    button.toggleAttribute('playing', isOn);
    setText(line, airing(markOf(station)) || subline(station) || 'Web radio');
  };
  const ends = ['player', 'airing', 'heard'].map((name) => watch(name, show));
  whenLeft(button, () => { for (const end of ends) end(); });
  return h('li', {}, warmOn(button, () => station));
}

const stationOf = (id) => get('stations').get(id) ?? null;

/** The stations of ids, those that are not known fetched. */
async function lookUp(ids) {
  const unknown = [...new Set(ids)].filter((id) => !stationOf(id)).slice(0, lookUps);
  remember((await Promise.all(unknown.map((id) => api.peek(`stations/${seg(id)}`).catch(() => null)))).filter(Boolean));
  return [...new Set(ids)].map(stationOf).filter(Boolean);
}

/** What was played last, stations and recordings, each once; what is there no more is left out. */
async function played(history) {
  const found = await Promise.all(history.slice(0, lookUps).map(async (entry) => {
    if (entry.kind === 'station') return { station: (await lookUp([entry.station.id]))[0] };
    const detail = await api.peek(`recordings/${seg(entry.recording.id)}`).catch(() => null);
    return { recording: detail && { ...detail, titles: chaptersOf(detail).length } };
  }));
  const keys = new Set();
  return found.filter(({ station, recording }) => { const key = station?.id ?? recording?.id; return key && !keys.has(key) && keys.add(key); });
}

async function load() {
  const [all, favourites, past, thumbs] = await Promise.all([
    api.get('stations' + query({ limit: 60 })),
    api.get('stations' + query({ favourites: 1, limit: 200 })),
    api.get('history' + query({ limit: 24 })).catch(() => ({ history: [] })),
    api.get('thumbs').catch(() => ({ thumbs: [] })),
  ]);
  remember([...all.stations, ...favourites.stations]);
  const recent = await played(past.history);
  const liked = await lookUp(thumbs.thumbs.filter((thumb) => thumb.direction === 'up').map((thumb) => thumb.station));
  const known = taste({ favourites: favourites.stations, played: recent.map(({ station }) => station).filter(Boolean), thumbs: thumbs.thumbs, stationOf });
  const more = await Promise.all(favouriteGenres(known, 2).map((genre) => api.get('stations' + query({ genre, limit: 20 })).catch(() => ({ stations: [] }))));
  remember(more.flatMap(({ stations }) => stations));
  const candidates = [...all.stations, ...favourites.stations, ...recent.map(({ station }) => station).filter(Boolean), ...liked, ...more.flatMap(({ stations }) => stations)];
  return { stations: [...new Map(candidates.map((station) => [station.id, station])).values()], favourites: favourites.stations, recent, known };
}

/** What airs now and is liked, on whatever station; true as titles come. */
function onAir(known) {
  const box = h('div', {});
  let shown = '';
  const show = async () => {
    const ids = likedNow(get('airing') ?? new Map(), known).slice(0, 4);
    if (ids.join() === shown) return;
    shown = ids.join();
    const stations = await lookUp(ids);
    if (shown !== ids.join()) return;
    box.replaceChildren(...(stations.length ? [section('On air now that you like', h('div', { class: 'rows', role: 'list' }, stations.map((station) => stationRow(station, { name: 'On air now', stations }))))] : []));
  };
  whenLeft(box, watch('airing', show));
  return box;
}

/** Recently played: each as a row of its kind, and no recording that was deleted. */
function recently(recent) {
  const rows = h('div', { class: 'rows', role: 'list' });
  const stations = recent.map(({ station }) => station).filter(Boolean);
  const some = recent.slice(0, recents);
  let recordingRow = null;
  const make = ({ station, recording }) => (station ? stationRow(station, { name: 'Recently played', stations }) : recordingRow(recording));
  const draw = keyed(rows, { key: ({ station, recording }) => (station ?? recording).id, says: () => '', make });
  const isThere = ({ station, recording }) => station || (recordingRow && (!get('recordings') || knownRecording(recording.id)));
  const show = () => draw(some.filter(isThere));
  const follow = (module) => { recordingRow = module.recordingRow; show(); followRecordings(rows, show); };
  show();
  if (some.some(({ recording }) => recording)) import('../parts/recording-row.js').then(follow, () => {});
  return section('Recently played', rows, link(path('/history'), 'History'));
}

async function newest() {
  const { newestRecordings } = await import('../parts/newest-recordings.js');
  return newestRecordings('Newest recordings', 6, { more: link(path('/recordings'), 'All recordings') });
}

async function continueShelf() {
  const { shelf } = await import('../parts/continue-shelf.js').catch(() => ({}));
  return shelf ? shelf() : null;
}

function draw({ stations, favourites, recent, known }) {
  if (!stations.length) return emptyState('radio', 'No stations yet', 'Add one, or let the service read your station files.', link(path('/settings'), 'Add a station', 'pill primary'));
  const pick = recommended(stations, known, get('airing') ?? new Map());
  const list = { name: 'For You', stations: pick };
  const later = h('div', {});
  Promise.all([continueShelf(), newest().catch(() => null)]).then((parts) => later.replaceChildren(...parts.filter(Boolean)), () => {});
  return [
    section('Recommended now', h('ul', { class: 'shelf' }, pick.slice(0, 12).map((station) => card(station, list))), link(path('/radio'), 'All stations')),
    recent.length ? recently(recent) : null,
    onAir(known),
    favourites.length ? section('Favourites', h('div', { class: 'rows', role: 'list' }, favourites.slice(0, 6).map((station) => stationRow(station, { name: 'Favourites', group: 'favourites', stations: favourites }))), link(path('/library'), 'Library')) : null,
    later,
  ];
}

export function screen() {
  const box = screenBox('For You');
  fill(box.appendChild(h('div', {})), load, draw);
  return box;
}
