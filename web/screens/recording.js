// A recording: what it is, its chapters, its gaps with their causes, its files, and what can be done with it.
import { h, icon, renew, setText, whenLeft } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { path, go } from '../core/router.js';
import { on } from '../core/events.js';
import { section, fill, link, screenBox } from '../core/lists.js';
import { title, isBeingWritten, isTalk, showPath, audioOf } from '../core/recordings.js';
import { dateAndTime, length, bytes, clock } from '../core/format.js';
import { player } from '../core/player.js';
import { actionsOf } from '../parts/recording-row.js';
import { set, watch } from '../core/store.js';
import { paint } from '../core/tint.js';
import { stationTile } from '../parts/station-tile.js';
import { playCell } from '../parts/play-cell.js';
import { chaptersOf } from '../core/chapters.js';
import { chapterList } from '../sheets/chapters.js';
import { bookmarkList } from '../sheets/bookmarks.js';
import { toast, failed, share } from '../core/actions.js';
import { descriptionBox, aboutRecording } from '../parts/description-box.js';

const causes = { closed: 'the station closed the connection', stall: 'nothing came', error: 'the connection broke', disk: 'the disk was full', overflow: 'the machine was too busy', format: 'the station changed its format', unknown: 'unknown' };

function gaps(detail) {
  if (!detail.gaps?.length) return h('p', { class: 'muted' }, 'None: it is whole.');
  return h('ol', { class: 'gaps' }, detail.gaps.map((gap) => h('li', {}, h('time', { class: 'tabular', datetime: gap.from }, `${dateAndTime(gap.from)} – ${new Date(gap.to).toLocaleTimeString()}`),
    h('span', {}, `at ${clock(gap.seconds)}: ${causes[gap.cause] ?? gap.cause}`), h('span', { class: 'tabular' }, gap.lost_seconds > 0 ? `${gap.lost_seconds.toFixed(1)} s missing` : 'nothing missing'))));
}

function files(detail) {
  const all = detail.files ?? [];
  return h('ul', { class: 'files' }, all.map((file, index) => h('li', {}, icon('download'), h('a', { class: 'one-line link', href: audioOf(detail, index), download: file.name }, file.name), h('span', { class: 'tabular' }, `${clock(file.seconds)} · ${bytes(file.bytes)}`))));
}

async function verify(detail) {
  toast('Verifying…');
  try {
    let job = await api.post(`recordings/${seg(detail.id)}/verify`);
    while (job.state === 'waiting' || job.state === 'running') job = await api.get(`jobs/${seg(job.id)}?wait=20`);
    const report = job.result ?? { message: job.error?.message ?? 'It could not be verified.', state: 'failed' };
    toast(report.message, { kind: report.state === 'verified' ? 'success' : 'error' });
  } catch (error) { failed(error); }
}

/** What it is and what can be done with it; `at` is the place of an address that was shared. */
function masthead(row, at) {
  const [media, tile] = [h('div', { class: 'media' }), stationTile(row.station, 'hero-tile')];
  const [facts, reason] = [h('p', { class: 'muted' }), h('p', { class: 'muted', dir: 'auto' })];
  const pill = (kind, picture, text, act, more) => h('button', { type: 'button', class: `pill ${kind}`, onClick: act, ...more }, icon(picture), text);
  const begin = pill('tinted', 'play', 'Play what is there', () => player.listen(row, null));
  const check = pill('outline', 'check', 'Verify', () => verify(row), { data: { needs: 'operator' } });
  const box = h('div', { class: 'masthead' }, media, h('div', { class: 'stack' }, h('p', { class: 'overline' }, dateAndTime(row.started)), h('h2', { class: 'call-sign', dir: 'auto' }, title(row)), facts, reason,
    h('div', { class: 'buttons' }, at > 0 ? pill('tinted', 'play', `Play from ${clock(at)}`, () => player.listen(row, at)) : null, begin,
      pill('outline', 'more', 'Actions', () => set('sheet', { name: 'menu', title: title(row), items: actionsOf(row) })), check,
      pill('outline', 'share', 'Share', () => share(title(row), location.href)), h('a', { class: 'pill outline', href: showPath(row) }, 'Show'))));
  const show = () => {
    const isOn = isBeingWritten(row);
    setText(facts, [row.station.name, isOn ? 'Recording now' : length(row.seconds), row.format?.codec?.toUpperCase(), isOn ? '' : bytes(row.bytes)].filter(Boolean).join(' · '));
    setText(reason, row.reason ?? '');
    reason.hidden = !row.reason;
    begin.hidden = !isOn || !row.path;
    check.hidden = isOn;
    renew(media, tile, playCell(row, 'media'));
  };
  return { box, show, says: () => [row.state, row.seconds, row.bytes, row.path, row.reason] };
}

/** A part that is drawn anew only where what it says is another. */
function part(says, draw) {
  const box = h('div', {});
  return { box, says, show: (detail) => renew(box, draw(detail)) };
}

/** The page of a recording, and what brings it up to date. */
function draw(first, at) {
  const row = { ...first };
  const about = descriptionBox(row.id, aboutRecording(first));
  const parts = [
    masthead(row, at), { box: about, says: aboutRecording, show: (detail) => about.know(aboutRecording(detail)) },
    part(chaptersOf, (detail) => section('Chapters', chapterList(row, detail))),
    { box: section('Bookmarks', bookmarkList(row)), says: () => '', show: () => {} },
    part(({ gaps: found }) => found, (detail) => section('Gaps', gaps(detail))),
    part(({ files: found }) => found, (detail) => section('Files', files(detail))),
  ];
  const show = (detail) => {
    Object.assign(row, detail, { titles: chaptersOf(detail).length });
    for (const each of parts) {
      const now = JSON.stringify(each.says(detail) ?? null);
      if (now === each.said) continue;
      each.said = now;
      each.show(detail);
    }
  };
  show(first);
  return { boxes: parts.map(({ box }) => box), show };
}

/** It is recorded on, and ends, while somebody looks; the page of what is deleted is left. */
function follow(box, first, show) {
  let round = 0;
  const look = async ({ id }) => {
    if (id !== first.id) return;
    const mine = ++round;
    try {
      const detail = await api.get(`recordings/${seg(id)}`);
      if (mine === round) show(detail);
    } catch { /* the next word of it brings all of this up to date */ }
  };
  const ends = [
    ...['recording', 'recording-title', 'recording-gap'].map((name) => on(name, look)), on('again', () => look(first)),
    on('recording-deleted', ({ id }) => { if (id === first.id) toast(`${title(first)} was deleted.`); }),
    watch('forgotten', (id) => { if (id === first.id) go('/recordings', { replace: true }); }, { now: false }),
  ];
  whenLeft(box, () => ends.forEach((end) => end()));
}

export function screen({ parameters: [id], search }) {
  const box = screenBox('Recording');
  box.dataset.side = 'recorded';
  box.querySelector('h1').classList.add('visually-hidden');
  const content = box.appendChild(h('div', {}));
  fill(content, () => api.get(`recordings/${seg(id)}`), (detail) => {
    box.querySelector('h1').textContent = title(detail);
    document.title = `${title(detail)} · aircheck`;
    if (isTalk(detail)) box.dataset.room = 'reading';
    paint(box, detail);
    const { boxes, show } = draw(detail, Number(search.get('t')));
    follow(content, detail, show);
    return boxes;
  });
  box.append(h('p', {}, link(path('/recordings'), 'All recordings')));
  return box;
}
