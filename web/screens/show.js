// A show: its picture and colour, its recordings, and the ways to follow it.
import { h, icon, renew } from '../core/dom.js';
import { api, seg, query } from '../core/api.js';
import { path, go } from '../core/router.js';
import { section, emptyState, fill, link, screenBox } from '../core/lists.js';
import { all, showKey, shows, isPlayable, isUnplayed, isBegun, followRecordings } from '../core/recordings.js';
import { length } from '../core/format.js';
import { player } from '../core/player.js';
import { share, toast } from '../core/actions.js';
import { descriptionBox, aboutShow } from '../parts/description-box.js';
import { paint } from '../core/tint.js';
import { recordingList } from '../parts/recording-row.js';
import { stationTile } from '../parts/station-tile.js';

/** Where podcast apps find the show. */
export const feedOf = (key) => `${location.origin}/api/v1/feeds/${seg(key)}.xml`;

async function load(key) {
  const rows = (await all()).filter((row) => showKey(row) === key);
  const { schedules } = await api.get('schedules').catch(() => ({ schedules: [] }));
  return { rows, rule: rows[0] && schedules.find((entry) => entry.station.id === rows[0].station.id && (entry.name ?? null) === (rows[0].show ?? null)) };
}

/** A weekly rule like the newest recording: its day, when it began, how long it was; to be looked at before it is made. */
function series(show, { started, seconds }) {
  const begun = new Date(started);
  const ended = new Date(begun.getTime() + Math.max(60, seconds) * 1000);
  const clock = (date) => [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  return query({ station: show.station.id, name: show.isSeries ? show.name : '', repeats: 'weekly', day: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][begun.getDay()], from: clock(begun), to: clock(ended) });
}

const nextOf = (rows) => rows.find(isBegun) ?? rows.find(isUnplayed) ?? rows.find(isPlayable);

function masthead(key, show, rows, rule) {
  const next = nextOf(rows);
  const subscribe = rule
    ? h('a', { class: 'pill outline', href: path('/recordings/schedules') }, icon('check'), 'Subscribed')
    : h('button', { type: 'button', class: 'pill outline', data: { needs: 'operator' }, onClick: () => go('/recordings/schedules' + series(show, rows[0])) }, icon('plus'), 'Subscribe');
  return h('div', { class: 'masthead' }, stationTile(show.station, 'hero-tile'), h('div', { class: 'stack' },
    h('p', { class: 'overline' }, show.isSeries ? 'Series' : 'Recorded by hand'), h('h2', { class: 'call-sign', dir: 'auto' }, show.name),
    h('p', { class: 'muted' }, `${show.station.name} · ${rows.length} ${rows.length === 1 ? 'recording' : 'recordings'} · ${length(show.seconds)}`), rule?.next ? h('p', { class: 'muted' }, `Next: ${new Date(rule.next.start).toLocaleString()}`) : null,
    h('div', { class: 'buttons' }, next ? h('button', { type: 'button', class: 'pill tinted', onClick: () => player.listen(next, null) }, icon('play'), isBegun(next) ? 'Continue' : 'Play') : null, subscribe,
      h('button', { type: 'button', class: 'pill outline', onClick: async () => { try { await navigator.clipboard.writeText(feedOf(key)); toast('The address of the feed is in the clipboard.', { kind: 'success' }); } catch { share(show.name, feedOf(key)); } } }, icon('rss'), 'RSS feed'),
      h('a', { class: 'pill outline', href: path(`/station/${seg(show.station.id)}`) }, icon('radio'), 'Listen live'))));
}

/** The show as its recordings are, also when another comes and when one goes. */
function draw(key, rule) {
  const [box, top] = [h('div', {}), h('div', {})];
  const list = section('Recordings', recordingList((each) => each.filter((row) => showKey(row) === key && !row.listening?.archived), () => emptyState('archive', 'All of them are archived', '')));
  const about = descriptionBox(key, '');
  let said = '';
  followRecordings(box, (every) => {
    const rows = every.filter((row) => showKey(row) === key);
    const [show] = shows(rows.map((row) => ({ ...row, listening: { ...row.listening, archived: false } })));
    const next = nextOf(rows);
    const now = JSON.stringify([rows.length, show?.seconds, next?.id, next && isBegun(next)]);
    if (now === said) return;
    said = now;
    if (!show) return renew(box, emptyState('recordings', 'No recordings of this show', 'They may have been deleted.', link(path('/recordings'), 'Recordings', 'pill outline')));
    about.know(aboutShow(show, rows));
    renew(top, masthead(key, show, rows, rule));
    if (!top.parentElement) renew(box, top, about, list);
  });
  return box;
}

export function screen({ parameters: [key] }) {
  const box = screenBox(key.replace(/^(show|station):/, ''));
  box.dataset.side = 'recorded';
  box.querySelector('h1').classList.add('visually-hidden');
  fill(box.appendChild(h('div', {})), () => load(key), (found) => { if (found.rows[0]) paint(box, found.rows[0]); return draw(key, found.rule); });
  return box;
}
