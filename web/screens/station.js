// A station: what it is, what it plays, what was recorded of it.
import { h, icon, safeLink, whenLeft } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { get, watch } from '../core/store.js';
import { path, go } from '../core/router.js';
import { section, emptyState, fill, link, screenBox } from '../core/lists.js';
import { airing, timeOfDay, frequency, subline } from '../core/format.js';
import { player, isTuned } from '../core/player.js';
import { warmOn } from '../core/warm.js';
import { remember, record, setFavourite, isFavourite, share } from '../core/actions.js';
import { stationTile } from '../parts/station-tile.js';
import { stationCell } from '../parts/play-cell.js';

async function load(id) {
  const station = await api.get(`stations/${seg(id)}`);
  remember([station]);
  const [titles, recordings, now] = await Promise.all([
    api.get(`stations/${seg(station.id)}/titles`).catch(() => ({ titles: [] })),
    api.get('recordings' + query({ query: station.name, limit: 12 })).catch(() => ({ recordings: [] })),
    api.get(`stations/${seg(station.id)}/now`).catch(() => null),
  ]);
  return { station, titles: titles.titles, recordings: recordings.recordings.filter((each) => each.station.id === station.id), now };
}

function facts(station, now) {
  const home = station.homepage && safeLink(station.homepage);
  const rows = [['Genre', station.genre], ['Country', station.country], ['Language', station.language], ['Codec', [station.codec, station.bitrate && `${station.bitrate} kbit/s`].filter(Boolean).join(', ')], ['State', now?.state === 'live' ? 'connected' : now?.reason || now?.state], ['Groups', station.groups?.join(', ')]].filter(([, text]) => text);
  return h('dl', { class: 'facts' }, rows.flatMap(([name, text]) => [h('dt', {}, name), h('dd', { dir: 'auto' }, text)]), home ? [h('dt', {}, 'Homepage'), h('dd', {}, h('a', { href: home, target: '_blank', rel: 'noreferrer noopener', class: 'link' }, home))] : []);
}

function draw({ station, titles, recordings, now }) {
  const heart = h('button', { type: 'button', class: 'pill outline', data: { needs: 'operator' }, onClick: () => { setFavourite(station, !isFavourite(station.id)); label(); } });
  const label = () => heart.replaceChildren(icon('heart', { solid: isFavourite(station.id) }), isFavourite(station.id) ? 'Favourite' : 'Add to favourites');
  label();
  const play = warmOn(h('button', { type: 'button', class: 'pill primary', onClick: () => (isTuned(station.id) ? player.stop() : player.tune(station, null)) }), () => station);
  const name = () => play.replaceChildren(...(isTuned(station.id) ? [icon('stop'), 'Stop'] : [icon('play'), 'Listen live']));
  whenLeft(play, watch('player', name));
  const past = [...titles].reverse().filter(airing).slice(0, 20);
  return [
    h('div', { class: 'masthead' }, h('div', { class: 'media' }, stationTile(station, 'hero-tile'), stationCell(station, null)), h('div', { class: 'stack' }, h('p', { class: 'overline' }, frequency(station)), h('h2', { class: 'call-sign', dir: 'auto' }, station.name), h('p', { class: 'muted', dir: 'auto' }, airing(now?.now) || subline(station) || 'Web radio'),
      h('div', { class: 'buttons' }, play, heart, h('button', { type: 'button', class: 'pill outline', data: { needs: 'operator' }, onClick: () => record(station) }, icon('record'), 'Record'), h('button', { type: 'button', class: 'pill outline', data: { needs: 'operator' }, onClick: () => go(`/recordings/schedules?station=${seg(station.id)}`) }, icon('calendar'), 'Schedule'), h('button', { type: 'button', class: 'pill outline', onClick: () => share(station.name, location.href) }, icon('share'), 'Share'), h('a', { class: 'pill outline', data: { needs: 'operator' }, href: path(`/station/${seg(station.id)}/settings`) }, icon('settings'), 'Settings')))),
    facts(station, now),
    section('Recent tracks', past.length ? h('ol', { class: 'recent' }, past.map((mark) => h('li', {}, h('time', { class: 'tabular', datetime: mark.since }, timeOfDay(mark.since)), h('span', { class: 'one-line', dir: 'auto' }, airing(mark))))) : emptyState('clock', 'No titles yet', 'They are remembered while the station is connected.')),
    recordings.length ? section('Recordings', rows(recordings)) : null,
  ];
}

function rows(recordings) {
  const box = h('div', { class: 'rows', role: 'list' });
  import('../parts/recording-row.js').then(({ recordingRow }) => box.append(...recordings.map((recording) => recordingRow(recording, recordings))));
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
