// A station: what it is, what it plays, what was recorded of it. What changes while one looks changes here, too.
import { h, icon, safeLink, setText, whenLeft } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { get, watch } from '../core/store.js';
import { on } from '../core/events.js';
import { path, go } from '../core/router.js';
import { section, emptyState, fill, link, screenBox } from '../core/lists.js';
import { airing, timeOfDay, frequency, subline } from '../core/format.js';
import { player, isTuned, markOf } from '../core/player.js';
import { feedOf } from '../core/arrivals.js';
import { warmOn } from '../core/warm.js';
import { runningOf } from '../core/running.js';
import { pressRecord } from '../core/record.js';
import { remember, setFavourite, isFavourite, share } from '../core/actions.js';
import { stationTile } from '../parts/station-tile.js';
import { stationCell } from '../parts/play-cell.js';

/** What tells that another title airs here, or is heard. */
const titleNews = ['player', 'airing', 'heard'];

/** Null where there is no such station. */
async function load(id) {
  const station = await api.get(`stations/${seg(id)}`).catch((error) => { if (error.status === 404) return null; throw error; });
  if (!station) return null;
  remember([station]);
  const { titles } = await api.get(`stations/${seg(station.id)}/titles`).catch(() => ({ titles: [] }));
  return { station, titles };
}

/** How the service's connection to it is doing. */
function stateOf({ id }) {
  const { feed, feedReason } = feedOf(id);
  return feed === 'live' ? 'connected' : feedReason || feed || 'idle';
}

function facts(station, state) {
  const home = station.homepage && safeLink(station.homepage);
  const rows = [['Genre', station.genre], ['Country', station.country], ['Language', station.language], ['Codec', [station.codec, station.bitrate && `${station.bitrate} kbit/s`].filter(Boolean).join(', ')], ['State', state], ['Groups', station.groups?.join(', ')]].filter(([, text]) => text);
  return h('dl', { class: 'facts' }, rows.flatMap(([name, text]) => [h('dt', {}, name), h('dd', { dir: 'auto' }, text)]), home ? [h('dt', {}, 'Homepage'), h('dd', {}, h('a', { href: home, target: '_blank', rel: 'noreferrer noopener', class: 'link' }, home))] : []);
}

/** A button whose words change, and which is as wide as the widest of them: those beside it stay where they are. */
function changing(widest, props) {
  const words = h('span', { class: 'steady', data: { widest } });
  const button = h('button', { type: 'button', ...props }, words);
  const show = (picture, text, options) => {
    setText(words, text);
    button.replaceChildren(icon(picture, options), words);
  };
  return { button, show };
}

function buttons(station, follow) {
  const play = changing('Listen live', { class: 'pill primary', onClick: () => (isTuned(station.id) ? player.stop() : player.tune(station, null)) });
  follow(['player'], () => (isTuned(station.id) ? play.show('stop', 'Stop') : play.show('play', 'Listen live')));
  const heart = changing('Add to favourites', { class: 'pill outline', data: { needs: 'operator' }, onClick: () => setFavourite(station, !isFavourite(station.id)) });
  follow(['stations'], () => heart.show('heart', isFavourite(station.id) ? 'Favourite' : 'Add to favourites', { solid: isFavourite(station.id) }));
  const record = changing('Recording', { class: 'pill outline', data: { needs: 'operator' }, onClick: () => pressRecord(station) });
  follow(['running'], () => record.show('record', runningOf(station.id).length ? 'Recording' : 'Record'));
  return h('div', { class: 'buttons' }, warmOn(play.button, () => station), heart.button, record.button,
    h('button', { type: 'button', class: 'pill outline', data: { needs: 'operator' }, onClick: () => go(`/recordings/schedules?station=${seg(station.id)}`) }, icon('calendar'), 'Schedule'),
    h('button', { type: 'button', class: 'pill outline', onClick: () => share(station.name, location.href) }, icon('share'), 'Share'),
    h('a', { class: 'pill outline', data: { needs: 'operator' }, href: path(`/station/${seg(station.id)}/settings`) }, icon('settings'), 'Settings'));
}

/** The last titles, as they come; of the station that is heard here none that is still on its way. */
function recentTracks(station, titles, follow) {
  const known = new Map(titles.map((mark) => [mark.since, mark]));
  const box = h('div', {});
  let shown = null;
  const show = () => {
    const now = markOf(station);
    const newest = get('airing')?.get(station.id);
    for (const mark of [now, newest]) if (mark) known.set(mark.since, mark);
    const past = [...known.values()].filter((mark) => airing(mark) && (!now || mark.since <= now.since)).sort((a, b) => (a.since < b.since ? 1 : -1)).slice(0, 20);
    const key = past.map((mark) => mark.since + airing(mark)).join('\n');
    if (key === shown) return;
    shown = key;
    box.replaceChildren(past.length ? h('ol', { class: 'recent' }, past.map((mark) => h('li', {}, h('time', { class: 'tabular', datetime: mark.since }, timeOfDay(mark.since)), h('span', { class: 'one-line', dir: 'auto' }, airing(mark))))) : emptyState('clock', 'No titles yet', 'They are remembered while the station is connected.'));
  };
  follow(titleNews, show);
  return box;
}

function draw(found) {
  if (!found) return emptyState('radio', 'There is no such station', 'It may have been removed, or its address has changed.', link(path('/search'), 'Search', 'pill outline'));
  const { station, titles } = found;
  const ends = [];
  const follow = (names, show) => { ends.push(...names.map((name) => watch(name, show, { now: false }))); show(); };
  const now = h('p', { class: 'muted', dir: 'auto' });
  follow(titleNews, () => setText(now, airing(markOf(station)) || subline(station) || 'Web radio'));
  const state = h('span', {}, stateOf(station));
  for (const name of ['hello', 'station']) ends.push(on(name, () => setText(state, stateOf(station))));
  const head = h('div', { class: 'masthead' }, h('div', { class: 'media' }, stationTile(station, 'hero-tile'), stationCell(station, null)), h('div', { class: 'stack' }, h('p', { class: 'overline' }, frequency(station)), h('h2', { class: 'call-sign', dir: 'auto' }, station.name), now, buttons(station, follow)));
  const parts = [head, facts(station, state), section('Recent tracks', recentTracks(station, titles, follow)), recordingsOf(station)];
  whenLeft(head, () => { for (const end of ends) end(); });
  return parts;
}

function recordingsOf({ id }) {
  const box = h('div', {});
  import('../parts/newest-recordings.js').then(({ newestRecordings }) => newestRecordings('Recordings', 12, { isMeant: ({ station }) => station.id === id })).then((part) => box.append(part), () => {});
  return box;
}

export function screen({ parameters: [id] }) {
  const name = get('stations').get(id)?.name ?? 'Station';
  const box = screenBox(name);
  box.querySelector('h1').classList.add('visually-hidden');
  fill(box.appendChild(h('div', {})), () => load(id), draw);
  box.append(h('p', {}, link(path('/radio'), 'All stations')));
  return box;
}
