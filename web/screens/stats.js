// Hours listened, recorded and saved; what was heard most.
import { h, icon } from '../core/dom.js';
import { api, seg, query } from '../core/api.js';
import { path } from '../core/router.js';
import { section, fill, screenBox, emptyState } from '../core/lists.js';

/** `3 h 20 min`, `4 min`, `12 s`. */
function hours(seconds) {
  const whole = Math.round(seconds);
  if (whole < 0) return `−${hours(-whole)}`;
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  const minutes = Math.floor(whole / 60) % 60;
  return `${Math.floor(whole / 3600)} h${minutes ? ` ${minutes} min` : ''}`;
}

function bars(list, to) {
  const most = list[0]?.seconds || 1;
  return h('ol', { class: 'bars' }, list.map((entry) => h('li', {}, h('i', { style: { '--part': String(entry.seconds / most) }, 'aria-hidden': 'true' }), to ? h('a', { class: 'one-line', dir: 'auto', href: to(entry) }, entry.name) : h('span', { class: 'one-line', dir: 'auto' }, entry.name), h('span', { class: 'tabular' }, hours(entry.seconds)))));
}

function draw(stats) {
  const card = (picture, seconds, text) => h('li', {}, icon(picture), h('strong', { class: 'tabular' }, hours(seconds)), h('span', {}, text));
  const heard = stats.live_seconds + stats.recorded_seconds;
  const saved = stats.trim_seconds + Math.max(0, stats.speed_seconds);
  const since = stats.since ? ` since ${new Date(stats.since).toLocaleDateString(undefined, { day: 'numeric', month: 'long', year: 'numeric' })}` : '';
  return [heard ? h('p', { class: 'stat-sum' }, 'You listened for ', h('strong', { class: 'tabular' }, hours(heard)), `${since}${saved >= 1 ? `, and saved ${hours(saved)}` : ''}.`) : null,
    h('ul', { class: 'stat-cards' }, card('radio', stats.live_seconds, 'of live radio heard'), card('recordings', stats.recorded_seconds, 'of recordings heard'), card('record', stats.held_seconds, 'recorded and kept'), card('trim', stats.trim_seconds, 'saved by trimming silence'), card('speed', stats.speed_seconds, 'saved by speed')),
    section('Most heard stations', stats.stations.length ? bars(stats.stations, (entry) => path(`/station/${seg(entry.id)}`)) : emptyState('radio', 'Nothing heard yet', 'Half a minute of a station is enough.')),
    stats.artists.length ? section('Most heard artists', bars(stats.artists, (entry) => path('/search' + query({ q: entry.name })))) : null];
}

export function screen() {
  const box = screenBox('Stats');
  box.dataset.side = 'recorded';
  fill(box.appendChild(h('div', {})), () => api.get('stats'), draw);
  return box;
}
