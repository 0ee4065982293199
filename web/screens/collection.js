// My collection: what got a thumb up, when and where it aired; record it next time, or play the recording.
import { h, icon } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { get } from '../core/store.js';
import { path } from '../core/router.js';
import { screenBox, emptyState, fill, link } from '../core/lists.js';
import { dateAndTime } from '../core/format.js';
import { failed, toast, remember } from '../core/actions.js';
import { player } from '../core/player.js';
import { chaptersOf, loadDetail } from '../core/chapters.js';

/** Plays a song out of the recording that has it. */
async function playRecorded(thumb, recording) {
  const detail = await loadDetail(recording.id).catch(() => null);
  const chapter = chaptersOf(detail).find((each) => each.title === thumb.title && (each.artist ?? null) === (thumb.artist ?? null));
  player.listen(recording, chapter?.start ?? 0);
}

async function load() {
  const { thumbs } = await api.get('thumbs');
  const ups = thumbs.filter((thumb) => thumb.direction === 'up');
  const recorded = await Promise.all(ups.slice(0, 60).map((thumb) => api.get('recordings' + query({ query: [thumb.artist, thumb.title].filter(Boolean).join(' '), limit: 1 })).then(({ recordings }) => recordings[0] ?? null, () => null)));
  const unknown = [...new Set(ups.map((thumb) => thumb.station))].filter((id) => !get('stations').has(id)).slice(0, 60);
  remember((await Promise.all(unknown.map((id) => api.get(`stations/${seg(id)}`).catch(() => null)))).filter(Boolean));
  return ups.map((thumb, index) => ({ thumb, recording: recorded[index] ?? null }));
}

function row({ thumb, recording }) {
  const watchIt = async () => {
    try { await api.post('watches', { words: [thumb.artist, thumb.title].filter(Boolean).join(' '), in: thumb.artist ? 'any' : 'title', action: 'record' }); toast('It is recorded when it airs next.', { kind: 'success' }); } catch (error) { failed(error.status === 404 ? new Error('This service cannot wait for songs yet.') : error); }
  };
  return h('li', {}, icon('up', { solid: true }), h('span', { class: 'stack' }, h('strong', { class: 'one-line', dir: 'auto' }, thumb.title), h('small', { class: 'one-line', dir: 'auto' }, [thumb.artist, get('stations')?.get(thumb.station)?.name ?? thumb.station, dateAndTime(thumb.at)].filter(Boolean).join(' · '))),
    recording ? h('button', { type: 'button', class: 'pill outline small', onClick: () => playRecorded(thumb, recording) }, icon('play'), 'Play the recording') : h('button', { type: 'button', class: 'pill outline small', onClick: watchIt }, icon('record'), 'Record it next time'),
    h('a', { class: 'round', href: path(`/station/${seg(thumb.station)}`), 'aria-label': 'The station' }, icon('radio')));
}

export function screen() {
  const box = screenBox('My collection');
  fill(box.appendChild(h('div', {})), load, (found) => (found.length ? h('ul', { class: 'plain-list collection' }, found.map(row)) : emptyState('up', 'Nothing has a thumb up yet', 'A thumb up on what airs keeps it here.', link(path('/radio'), 'Find a station', 'pill outline'))));
  return box;
}
