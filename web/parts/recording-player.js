// The recording player: thirty seconds back and forward, chapters, speed, bookmarks, captions. Everything that live has not.
import { h, icon, iconButton, setButton, setText } from '../core/dom.js';
import { Part, get, set, kept } from '../core/store.js';
import { on } from '../core/events.js';
import { player, position, isSounding } from '../core/player.js';
import { clock, longLeft, eyebrow, airing } from '../core/format.js';
import { api, seg } from '../core/api.js';
import { path, go } from '../core/router.js';
import { share, mark, toast, failed } from '../core/actions.js';
import { markPlayed } from '../core/played.js';
import { title, isTalk, isBeingWritten } from '../core/recordings.js';
import { loadDetail, chaptersOf, chapterAt, chapterBeside } from '../core/chapters.js';
import { loadCaptions, cueAt } from '../core/captions.js';
import { stationTile } from './station-tile.js';
import { progressRing } from './progress-ring.js';
import { showSleep } from './sleep-chip.js';
import './scrub-bar.js';

async function bookmark(recording, seconds) {
  try {
    await api.post(`recordings/${seg(recording.id)}/bookmarks`, { seconds });
    toast(`Marked ${clock(seconds)}.`, { kind: 'success' });
  } catch (error) { failed(error); }
}

class RecordingPlayer extends Part {
  #id = null;
  #chapters = [];
  /** It is still recorded: its last chapter has no end yet. */
  #isOpen = false;
  #cues = null;
  #line = null;

  connectedCallback() {
    this.dataset.side = 'recorded';
    const collapse = iconButton('down', 'Close the player', () => set('full', false), { className: 'round plain collapse' });
    const menu = iconButton('more', 'More', () => set('sheet', { name: 'menu', title: title(get('player').recording), items: this.#menu() }), { className: 'round plain' });
    this.ring = progressRing('cover-ring');
    this.cover = h('div', { class: 'cover' });
    this.name = h('h2', { class: 'title', dir: 'auto' });
    this.by = h('p', { class: 'by one-line', dir: 'auto' });
    this.chapter = h('p', { class: 'chapter-now one-line', dir: 'auto' });
    this.captions = h('div', { class: 'captions', 'aria-live': 'off', hidden: true });
    this.scrub = document.createElement('scrub-bar');
    this.main = h('button', { type: 'button', class: 'big-play', onClick: () => player.toggle() });
    this.chips = {
      queue: this.#chip('queue', 'Up Next', () => set('sheet', { name: 'queue' })),
      speed: this.#chip('speed', 'Speed', () => set('sheet', { name: 'speed' })),
      effects: this.#chip('trim', 'Effects', () => set('sheet', { name: 'effects' })),
      sound: this.#chip('speaker', 'Sound', () => set('sheet', { name: 'sound' })),
      sleep: this.#chip('moon', 'Sleep', () => set('sheet', { name: 'sleep' })),
      bookmark: this.#chip('bookmark', 'Bookmark', () => set('sheet', { name: 'bookmarks', recording: get('player').recording })),
      chapters: this.#chip('chapters', 'Chapters', () => set('sheet', { name: 'chapters', recording: get('player').recording })),
      captions: this.#chip('captions', 'Captions', () => this.#toggleCaptions()),
      star: this.#chip('star', 'Star', () => { const { recording } = get('player'); mark(recording, { starred: !recording.listening?.starred }); }, 'operator'),
      car: this.#chip('car', 'Car', () => { set('full', false); go('/car'); }),
    };
    this.replaceChildren(
      h('header', { class: 'player-top' }, collapse, h('p', { class: 'context' }, h('span', { class: 'overline' }, 'Recording'), this.day = h('strong', { class: 'one-line' })), menu),
      h('div', { class: 'cover-box' }, this.cover, this.ring),
      h('div', { class: 'titles' }, this.name, this.by, this.chapter),
      this.captions, this.scrub,
      h('div', { class: 'transport', role: 'group', 'aria-label': 'Playback' },
        iconButton('previous', 'Previous chapter', () => player.previous(), { className: 'round skip' }),
        iconButton('back30', 'Back 30 seconds', () => player.skip(-30), { className: 'round thirty' }), this.main,
        iconButton('forward30', 'Forward 30 seconds', () => player.skip(30), { className: 'round thirty' }),
        this.next = iconButton('next', 'Next chapter', () => player.next(), { className: 'round skip' })),
      this.rest = h('p', { class: 'rest tabular' }),
      h('div', { class: 'under wrap' }, Object.values(this.chips)));
    this.follows('player', (state) => state.kind === 'recorded' && this.#show(state));
    this.follows('queue', (ids) => this.chips.queue.classList.toggle('active', ids.length > 0));
    for (const name of ['marked', 'recording-row']) this.follows(name, (change) => { if (change?.id === this.#id) { const { recording } = get('player'); recording.listening = change.listening; this.#stars(recording); } });
    for (const name of ['recording', 'recording-title']) this.atEnd(on(name, ({ id }) => { if (id === this.#id) this.#lookAgain(id); }));
    this.atEnd(on('again', () => { if (this.#id) this.#lookAgain(this.#id); }));
    const ticking = setInterval(() => this.#tick(), 200);
    this.atEnd(() => clearInterval(ticking));
  }

  #chip(picture, name, onClick, needs = 'viewer') { return h('button', { type: 'button', class: 'action-chip', data: { needs }, onClick }, icon(picture), h('span', { class: 'tabular' }, name)); }

  #show(state) {
    const { recording } = state;
    if (this.#id !== recording.id) this.#change(recording);
    const sounds = isSounding();
    setButton(this.main, sounds ? 'pause' : 'play', sounds ? 'Pause' : 'Play');
    const speed = state.speed ?? 1;
    setText(this.chips.speed.lastChild, speed === 1 ? 'Speed' : `${speed.toFixed(2).replace(/0$/, '')}×`);
    this.chips.speed.setAttribute('aria-label', `Speed, ${speed}×`);
    this.chips.speed.classList.toggle('active', speed !== 1);
    const effects = kept.get('effects', { trim: 'off', boost: false });
    this.chips.effects.classList.toggle('active', effects.trim !== 'off' || effects.boost);
    this.#stars(recording);
    if (state.phase === 'failed') setText(this.chapter, state.reason);
    this.#tick();
  }

  #stars(recording) {
    const isOn = Boolean(recording.listening?.starred);
    this.chips.star.classList.toggle('active', isOn);
    this.chips.star.setAttribute('aria-pressed', String(isOn));
    this.chips.star.replaceChild(icon('star', { solid: isOn }), this.chips.star.firstChild);
  }

  async #change(recording) {
    this.#id = recording.id;
    this.#chapters = [];
    this.#cues = null;
    this.#line = null;
    this.captions.replaceChildren();
    this.captions.hidden = true;
    this.cover.replaceChildren(stationTile(recording.station, 'cover-tile'));
    setText(this.name, title(recording));
    setText(this.by, recording.show ? recording.station.name : 'Recorded from the air');
    setText(this.day, eyebrow(recording.started));
    setText(this.chapter, '');
    this.chips.captions.hidden = true;
    const holder = this.closest('full-player') ?? this;
    if (isTalk(recording)) holder.dataset.room = 'reading'; else delete holder.dataset.room;
    holder.style.setProperty('--ground', 'transparent');
    const detail = await loadDetail(recording.id).catch(() => null);
    if (this.#id !== recording.id) return;
    this.#showChapters(detail);
    const talks = isTalk({ ...recording, genre: detail?.station?.genre });
    if (talks) holder.dataset.room = 'reading';
    this.#cues = await loadCaptions(recording.id);
    if (this.#id !== recording.id) return;
    this.chips.captions.hidden = !this.#cues?.length;
    if (this.#cues?.length && kept.get('captions', false)) this.#toggleCaptions(true);
    this.#tick();
  }

  #showChapters(detail) {
    this.#chapters = chaptersOf(detail);
    this.#isOpen = Boolean(detail) && isBeingWritten(detail);
    this.chips.chapters.hidden = !this.#chapters.length;
    this.scrub.chapters = this.#chapters;
  }

  /** While it is recorded titles come, and its end. */
  async #lookAgain(id) {
    const detail = await loadDetail(id).catch(() => null);
    if (!detail || id !== this.#id) return;
    this.#showChapters(detail);
    this.#tick();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    delete document.querySelector('full-player')?.dataset.room;
  }

  #tick() {
    const state = get('player');
    if (state?.kind !== 'recorded') return;
    const at = position();
    const total = state.duration || state.recording.seconds;
    showSleep(this.chips.sleep, state.sleep);
    this.ring.set(total ? at / total : 0);
    this.scrub.show(at, total);
    setText(this.rest, total ? longLeft((total - at) / (state.speed || 1)) + (state.speed !== 1 ? ` at ${state.speed}×` : '') : '');
    setButton(this.next, 'next', chapterBeside(this.#chapters, at, 1) === null ? 'Play what is up next' : 'Next chapter');
    const index = chapterAt(this.#chapters, at);
    const chapter = this.#chapters[index];
    if (state.phase !== 'failed') setText(this.chapter, chapter ? airing(chapter) || chapter.text : '');
    if (get('chapter') !== chapter) set('chapter', chapter ?? null);
    set('chapter-end', this.#isOpen && index === this.#chapters.length - 1 ? null : chapter?.end ?? null);
    this.#caption(at);
  }

  #toggleCaptions(isOn = this.captions.hidden) {
    this.captions.hidden = !isOn;
    this.chips.captions.classList.toggle('active', isOn);
    this.chips.captions.setAttribute('aria-pressed', String(isOn));
    kept.set('captions', isOn);
  }

  /** The line of this moment, its word marked. */
  #caption(at) {
    if (this.captions.hidden || !this.#cues) return;
    const found = cueAt(this.#cues, at);
    if ((found?.cue ?? null) !== this.#line) {
      this.#line = found?.cue ?? null;
      this.captions.replaceChildren(...(found ? [h('p', { dir: 'auto' }, found.cue.words.map((word) => h('span', {}, word.text)))] : []));
    }
    if (!found) return;
    const words = this.captions.firstChild?.children ?? [];
    for (let index = 0; index < words.length; index += 1) words[index].classList.toggle('active', index === found.word);
  }

  #menu() {
    const { recording } = get('player');
    return [
      { picture: 'info', text: 'About this recording', act: () => { set('full', false); go(`/recordings/${seg(recording.id)}`); } },
      { needs: 'operator', picture: 'check', text: 'Mark played', act: () => markPlayed(recording) },
      { picture: 'share', text: 'Share this place', act: () => share(title(recording), `${location.origin}${path(`/recordings/${seg(recording.id)}`)}?t=${Math.floor(position())}`) },
      { needs: 'operator', picture: 'bookmark', text: `Bookmark ${clock(position())}`, act: () => bookmark(recording, position()) },
      { picture: 'close', text: 'Close the player', act: () => player.close() },
    ];
  }
}
customElements.define('recording-player', RecordingPlayer);
