// A recording in a list: its day, its picture, one line of title, its length; the play control bottom-left, the queue at
// the end. What is being written has a moving ring there.
import { h, icon, iconButton, setButton, setText } from '../core/dom.js';
import { Part, get, set } from '../core/store.js';
import { eyebrow, length, timeOfDay } from '../core/format.js';
import { path } from '../core/router.js';
import { api, seg } from '../core/api.js';
import { isRecording, isSounding } from '../core/player.js';
import { isBeingWritten, isBroken, isPlayable, title, forget, recall, followRecordings } from '../core/recordings.js';
import { queue } from '../core/queue.js';
import { markPlayed, markUnplayed } from '../core/played.js';
import { mark, stopRecording, share, toast, failed, unlessUndone } from '../core/actions.js';
import { download, cancel } from '../core/downloads.js';
import { may } from '../core/role.js';
import { paint } from '../core/tint.js';
import { stationTile } from './station-tile.js';
import { playCell } from './play-cell.js';
import { windowedRows } from './windowed-rows.js';
import { progressRing } from './progress-ring.js';
import './eq-bars.js';

/** What this browser may do to a recording, for the menu, the swipe and the keyboard. */
export function actionsOf(recording) {
  const marks = recording.listening ?? {};
  if (!may('operator')) return everybodys(recording);
  return [
    { key: 'n', picture: 'queue', text: 'Play next', act: () => queue.next(recording), needs: isPlayable(recording) },
    { key: 'l', picture: 'queue', text: 'Play last', act: () => queue.last(recording), needs: isPlayable(recording) },
    { key: 's', picture: 'star', text: marks.starred ? 'Remove the star' : 'Star', act: () => mark(recording, { starred: !marks.starred }, marks.starred ? 'The star is gone.' : 'Starred.') },
    { key: 'm', picture: 'check', text: marks.finished ? 'Mark unplayed' : 'Mark played', act: () => (marks.finished ? markUnplayed(recording) : markPlayed(recording)) },
    { key: 'a', picture: 'archive', text: marks.archived ? 'Take out of the archive' : 'Archive', act: () => mark(recording, { archived: !marks.archived }, marks.archived ? 'Back in the list.' : 'Archived.') },
    ...everybodys(recording),
    isBeingWritten(recording) ? { picture: 'stop', text: 'Stop recording', act: () => stopRecording(recording.id) } : null,
    { key: 'Delete', picture: 'trash', text: 'Delete', danger: true, act: () => remove(recording), needs: !isBeingWritten(recording) },
  ].filter((action) => action && action.needs !== false);
}

/** What takes no more than looking. */
const everybodys = (recording) => [
  isPlayable(recording) ? { key: 'd', picture: 'download', text: 'Download', act: () => download(recording) } : null,
  { picture: 'share', text: 'Share', act: () => share(title(recording), location.origin + path(`/recordings/${seg(recording.id)}`)) },
].filter(Boolean);

/** Deletes once it cannot be taken back any more. */
function remove(recording) {
  const { role } = get('session') ?? {};
  if (role && role !== 'admin') return toast('Only an admin deletes recordings.', { kind: 'error', remedy: 'Pair this browser with a code for admin: `aircheck pair --role admin`.' });
  const { id } = recording;
  const address = `recordings/${seg(id)}`;
  forget(id);
  unlessUndone(`${title(recording)} is deleted.`, {
    act: () => api.delete(address).catch((error) => { failed(error); recall(recording); }),
    undo: () => recall(recording),
    last: () => api.deleteLast(address),
  });
}

class RecordingRow extends Part {
  recording;
  #stops = 0;
  /** How much of it has been fetched, while that is done. */
  #part;

  constructor() {
    super();
    // Once: a row that a list puts elsewhere begins anew, and would do everything twice.
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  connectedCallback() {
    const { recording } = this;
    this.setAttribute('role', 'listitem');
    // Recorded wherever it stands: among live stations too.
    this.dataset.side = 'recorded';
    this.tabIndex = -1;
    this.name = h('a', { class: 'name one-line', dir: 'auto', href: path(`/recordings/${seg(recording.id)}`) }, title(recording));
    this.eyebrow = h('p', { class: 'eyebrow' });
    this.meta = h('p', { class: 'meta one-line', dir: 'auto' });
    this.star = icon('star', { solid: true, label: 'Starred' });
    this.star.classList.add('star');
    this.bars = null;
    this.ring = progressRing('small spin');
    this.end = iconButton('queue', 'Play next', () => this.#queue(), { className: 'row-end round' });
    this.more = iconButton('more', `More for ${title(recording)}`, () => this.#menu());
    this.face = h('div', { class: 'face' }, stationTile(recording.station),
      h('div', { class: 'stack' }, this.eyebrow, h('div', { class: 'line' }, this.name, this.star), this.meta, h('div', { class: 'cell-line' }, playCell(recording, 'row'))),
      h('div', { class: 'ends' }, this.more, this.end));
    this.replaceChildren(h('div', { class: 'behind', 'aria-hidden': 'true' }, h('span', {}, icon('queue'), 'Up Next'), h('span', {}, icon('archive'), 'Archive')), this.face);
    this.#swipe();
    for (const name of ['player', 'queue', 'session']) this.follows(name, () => this.#show(), { now: false });
    this.follows('downloads', (parts) => { if (parts.get(recording.id) !== this.#part) this.#show(); }, { now: false });
    this.#show();
    paint(this, recording);
    this.follows('marked', (change) => { if (change?.id === recording.id) { recording.listening = change.listening; this.#show(); } }, { now: false });
    this.follows('recording-row', (row) => { if (row.id === recording.id && row !== recording) { Object.assign(recording, row); this.#show(); } }, { now: false });
  }

  #show() {
    const { recording } = this;
    const isOn = isBeingWritten(recording);
    setText(this.eyebrow, `${eyebrow(recording.started)} · ${timeOfDay(recording.started)}`);
    const facts = [isOn ? 'Recording now' : length(recording.seconds), recording.show ? recording.station.name : null, recording.titles ? `${recording.titles} ${recording.titles === 1 ? 'title' : 'titles'}` : null, recording.lost_seconds > 0 ? `${length(recording.lost_seconds)} missing` : null, isBroken(recording) ? recording.reason || 'No audio' : null, recording.listening?.finished ? 'Played' : null, recording.listening?.downloaded ? '↓ Downloaded' : null];
    setText(this.meta, facts.filter(Boolean).join(' · '));
    const sounds = isRecording(recording.id) && isSounding();
    this.toggleAttribute('playing', sounds);
    if (sounds && !this.bars) this.star.after(this.bars = document.createElement('eq-bars'));
    if (!sounds && this.bars) { this.bars.remove(); this.bars = null; }
    this.star.toggleAttribute('hidden', !recording.listening?.starred);
    this.toggleAttribute('played', Boolean(recording.listening?.finished));
    this.#part = get('downloads')?.get(recording.id);
    this.#showEnd(isOn);
  }

  /** The circle at the end: a moving ring while it is recorded, a growing one while it is fetched, else the queue. */
  #showEnd(isOn) {
    const { recording } = this;
    const isFetched = this.#part !== undefined && this.#part < 1;
    this.end.classList.toggle('done', this.#part === 1);
    this.end.hidden = !isFetched && this.#part !== 1 && !may('operator');
    if (isOn || isFetched) {
      this.end.disabled = false;
      this.#showRing(isOn ? 'stop' : 'download', isOn ? `Stop recording ${title(recording)}` : `Stop downloading ${title(recording)}`);
      this.ring.classList.toggle('spin', isOn);
      this.ring.set(isOn ? 0.3 : this.#part);
      return;
    }
    const isQueued = queue.has(recording.id);
    if (this.#part === 1) setButton(this.end, 'check', `${title(recording)} is on this device`);
    else setButton(this.end, isQueued ? 'check' : 'queue', isQueued ? 'Take out of Up Next' : 'Play next');
    this.end.classList.toggle('on', isQueued);
    this.end.disabled = !isPlayable(recording);
  }

  #showRing(picture, label) {
    if (this.end.dataset.icon !== `ring ${picture}`) this.end.replaceChildren(this.ring, icon(picture, { solid: picture === 'stop' }));
    this.end.dataset.icon = `ring ${picture}`;
    this.end.setAttribute('aria-label', label);
    this.end.title = label;
  }

  #queue() {
    const { recording } = this;
    if (this.#part < 1) cancel(recording.id);
    else if (isBeingWritten(recording)) stopRecording(recording.id);
    else if (queue.has(recording.id)) queue.remove(recording.id);
    else queue.next(recording);
  }

  #menu() { set('sheet', { name: 'menu', title: title(this.recording), items: actionsOf(this.recording) }); }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionsOf(this.recording).find((each) => each.key === event.key);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action.act();
  }

  /** To the right: up next. To the left: the archive. Half of the way commits. */
  #swipe() {
    let from = null;
    this.face.addEventListener('pointerdown', (event) => { if (event.pointerType !== 'mouse') from = { x: event.clientX, y: event.clientY, is: false }; });
    this.face.addEventListener('pointermove', (event) => {
      if (!from) return;
      const [across, down] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.is && Math.abs(down) > 10 && Math.abs(down) > Math.abs(across)) { from = null; return; }
      if (!from.is && Math.abs(across) > 12) { from.is = true; this.face.setPointerCapture(event.pointerId); }
      if (!from.is) return;
      this.#stops = across;
      this.dataset.swipe = across > 0 ? 'right' : 'left';
      this.face.style.setProperty('translate', `${across}px 0`);
    });
    const end = () => {
      const far = Math.abs(this.#stops) > this.offsetWidth / 2;
      const isRight = this.#stops > 0;
      if (from?.is && far && may('operator')) { if (isRight) queue.next(this.recording); else mark(this.recording, { archived: true }, 'Archived.'); }
      from = null;
      this.#stops = 0;
      delete this.dataset.swipe;
      this.face.style.removeProperty('translate');
    };
    this.face.addEventListener('pointerup', end);
    this.face.addEventListener('pointercancel', end);
  }
}
customElements.define('recording-row', RecordingRow);

export function recordingRow(recording) { return Object.assign(document.createElement('recording-row'), { recording }); }

/** A list of rows that follows the archive and deletions: `choose(rows)` says which, newest first. Only those in sight are in
 * the page. */
export function recordingList(choose, empty) {
  const list = windowedRows(recordingRow);
  list.classList.add('recordings');
  list.dataset.side = 'recorded';
  const box = h('div', {}, list);
  followRecordings(box, (every) => {
    const rows = choose(every);
    list.set(rows);
    if (!rows.length) box.replaceChildren(list, empty()); else if (box.children.length > 1) box.replaceChildren(list);
  });
  return box;
}
