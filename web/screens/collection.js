// My collection: what got a thumb up, when and where it aired; record it next time, or play the recording.
import { h, icon, iconButton } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { get } from '../core/store.js';
import { path } from '../core/router.js';
import { screenBox, section, emptyState, fillAndFollow, link } from '../core/lists.js';
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

/** Songs that are shown at once; each is looked for in the recordings. */
const pageSize = 60;
const wordsOf = (thumb) => [thumb.artist, thumb.title].filter(Boolean).join(' ');
const newestFirst = (key) => (one, other) => (one[key] < other[key] ? 1 : one[key] > other[key] ? -1 : 0);

/** The newest `count` songs, each with the recording that has it, and what is waited for. */
async function load(count) {
  const [{ thumbs }, { watches }] = await Promise.all([api.get('thumbs'), api.get('watches').catch(() => ({ watches: [] }))]);
  const ups = thumbs.filter((thumb) => thumb.direction === 'up').sort(newestFirst('at'));
  const some = ups.slice(0, count);
  const recorded = await lookUp(some);
  return { songs: some.map((thumb, index) => ({ thumb, recording: recorded[index] })), hasMore: ups.length > some.length, wishes: watches.filter((each) => each.action === 'record').sort(newestFirst('created')) };
}

/** The recordings of some songs, and the names of their stations. */
async function lookUp(ups) {
  const recorded = await Promise.all(ups.map((thumb) => api.get('recordings' + query({ query: wordsOf(thumb), limit: 1 })).then(({ recordings }) => recordings[0] ?? null, () => null)));
  const unknown = [...new Set(ups.map((thumb) => thumb.station))].filter((id) => !get('stations').has(id));
  remember((await Promise.all(unknown.map((id) => api.get(`stations/${seg(id)}`).catch(() => null)))).filter(Boolean));
  return recorded;
}

async function wish(thumb, reload) {
  try {
    await api.post('watches', { words: wordsOf(thumb), in: thumb.artist ? 'any' : 'title', action: 'record' });
    toast('It is recorded when it airs next.', { kind: 'success' });
    reload();
  } catch (error) { failed(error); }
}

async function forget(watch, thumb, reload) {
  try {
    await api.delete(`watches/${seg(watch.id)}`);
    toast(`“${watch.words}” is waited for no more.`, { undo: () => wish(thumb, reload) });
    reload();
  } catch (error) { failed(error); }
}

function row(thumb, recording, wished, reload) {
  const button = (picture, text, onClick, more = {}) => h('button', { type: 'button', class: 'pill outline small', onClick, ...more }, icon(picture), text);
  return h('li', { data: { key: `song ${wordsOf(thumb)}` } }, icon('up', { solid: true }), h('span', { class: 'stack' }, h('strong', { class: 'one-line', dir: 'auto' }, thumb.title), h('small', { class: 'one-line', dir: 'auto' }, [thumb.artist, get('stations')?.get(thumb.station)?.name ?? thumb.station, dateAndTime(thumb.at)].filter(Boolean).join(' · '))),
    recording ? button('play', 'Play the recording', () => playRecorded(thumb, recording)) : wished ? button('check', 'Will be recorded', () => forget(wished, thumb, reload), { 'aria-pressed': 'true', data: { needs: 'operator' } }) : button('record', 'Record it next time', () => wish(thumb, reload), { data: { needs: 'operator' } }),
    h('a', { class: 'round', href: path(`/station/${seg(thumb.station)}`), 'aria-label': 'The station' }, icon('radio')));
}

/** Songs, the newest first. */
function songList({ songs, hasMore, wishes }, reload, more) {
  const wished = new Map(wishes.map((each) => [each.words.toLowerCase(), each]));
  const list = h('ul', { class: 'plain-list collection' }, songs.map(({ thumb, recording }) => row(thumb, recording, wished.get(wordsOf(thumb).toLowerCase()), reload)));
  return h('div', { class: 'stack gap' }, list, hasMore ? h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'pill outline', onClick: more }, 'Show older ones')) : null);
}

/** What is waited for, the newest first. */
const wishList = (wishes, reload) => h('ul', { class: 'plain-list wishes' }, wishes.map((each) => h('li', { data: { key: `wish ${each.id}` } }, icon('record'), h('span', { class: 'stack' }, h('strong', { class: 'one-line', dir: 'auto' }, each.words), h('small', { class: 'one-line' }, [`since ${dateAndTime(each.created)}`, each.hits ? `aired ${each.hits} ${each.hits === 1 ? 'time' : 'times'} since` : 'not aired since'].join(' · '))),
  iconButton('close', `Wait no more for ${each.words}`, () => forget(each, reload), { data: { needs: 'operator' } }))));

function draw(found, reload, more) {
  const { songs, wishes } = found;
  if (!songs.length && !wishes.length) return emptyState('up', 'Nothing has a thumb up yet', 'A thumb up on what airs keeps it here.', link(path('/radio'), 'Find a station', 'pill outline'));
  return [songs.length ? songList(found, reload, more) : null, wishes.length ? section('Waited for', wishList(wishes, reload)) : null];
}

export function screen() {
  const box = screenBox('My collection');
  const content = box.appendChild(h('div', {}));
  let count = pageSize;
  const reload = fillAndFollow(content, ['thumb'], () => load(count), (found) => draw(found, reload, more));
  const more = () => { count += pageSize; reload(); };
  return box;
}
