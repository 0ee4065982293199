// A recording: what it is, its chapters, its gaps with their causes, its files, and what can be done with it.
import { h, icon } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { path } from '../core/router.js';
import { section, fill, link, screenBox } from '../core/lists.js';
import { title, isBeingWritten, isTalk, showPath, audioOf } from '../core/recordings.js';
import { dateAndTime, length, bytes, clock } from '../core/format.js';
import { player } from '../core/player.js';
import { actionsOf } from '../parts/recording-row.js';
import { set } from '../core/store.js';
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

function draw(detail) {
  const row = { ...detail, titles: chaptersOf(detail).length };
  const isOn = isBeingWritten(detail);
  const media = h('div', { class: 'media' }, stationTile(detail.station, 'hero-tile'), playCell(row, 'media'));
  return [
    h('div', { class: 'masthead' }, media, h('div', { class: 'stack' }, h('p', { class: 'overline' }, dateAndTime(detail.started)), h('h2', { class: 'call-sign', dir: 'auto' }, title(detail)),
      h('p', { class: 'muted' }, [detail.station.name, length(detail.seconds), detail.format?.codec?.toUpperCase(), bytes(detail.bytes)].filter(Boolean).join(' · ')), detail.reason ? h('p', { class: 'muted', dir: 'auto' }, detail.reason) : null,
      h('div', { class: 'buttons' }, isOn && detail.path ? h('button', { type: 'button', class: 'pill tinted', onClick: () => player.listen(row, null) }, icon('play'), 'Play what is there') : null,
        h('button', { type: 'button', class: 'pill outline', onClick: () => set('sheet', { name: 'menu', title: title(detail), items: actionsOf(row) }) }, icon('more'), 'Actions'),
        isOn ? null : h('button', { type: 'button', class: 'pill outline', data: { needs: 'operator' }, onClick: () => verify(detail) }, icon('check'), 'Verify'),
        h('button', { type: 'button', class: 'pill outline', onClick: () => share(title(detail), location.href) }, icon('share'), 'Share'), h('a', { class: 'pill outline', href: showPath(detail) }, 'Show')))),
    descriptionBox(detail.id, aboutRecording(detail)),
    section('Chapters', chapterList(row, detail)),
    section('Bookmarks', bookmarkList(row)),
    section('Gaps', gaps(detail)),
    section('Files', files(detail)),
  ];
}

export function screen({ parameters: [id], search }) {
  const box = screenBox('Recording');
  box.dataset.side = 'recorded';
  box.querySelector('h1').classList.add('visually-hidden');
  fill(box.appendChild(h('div', {})), () => api.get(`recordings/${seg(id)}`), (detail) => {
    box.querySelector('h1').textContent = title(detail);
    document.title = `${title(detail)} · aircheck`;
    if (isTalk(detail)) box.dataset.room = 'reading';
    paint(box, detail);
    const at = Number(search.get('t'));
    if (at > 0) set('toast', { text: `Play from ${clock(at)}?`, undo: null, kind: 'plain' });
    return [...draw(detail), at > 0 ? h('button', { type: 'button', class: 'pill tinted', onClick: () => player.listen({ ...detail, titles: chaptersOf(detail).length }, at) }, icon('play'), `Play from ${clock(at)}`) : null];
  });
  box.append(h('p', {}, link(path('/recordings'), 'All recordings')));
  return box;
}
