// What is wrong, what is tried next, and what can be done: the stream, the network, the bandwidth, the disk; and what pairing is for.
import { h, icon, iconButton, setText, focusIn } from '../core/dom.js';
import { Part, set, kept } from '../core/store.js';
import { on } from '../core/events.js';
import { player } from '../core/player.js';
import { path } from '../core/router.js';
import { api, seg } from '../core/api.js';
import { bytes, timeOfDay } from '../core/format.js';
import { may, isGuest } from '../core/role.js';

/** Breaks within a minute that mean that the line is too thin. */
const breaksOfThinLine = 3;

/** Milliseconds. */
const fewSeconds = 5000;

/** How often the room for recordings is looked at, in milliseconds; and how soon after something was recorded. */
const storageEvery = 300_000;
const storageSoon = 3000;

/** What is to be said of the room for recordings, the worst first; nothing while there is enough. */
function ofStorage({ low, refuses_new: refuses, pauses, free, retention }) {
  const action = ['Storage', path('/settings')];
  if (pauses) return { kind: 'error', picture: 'warning', text: `The disk is full: ${bytes(free)} free. Recordings pause below ${bytes(retention.free_for_all)}.`, action };
  if (refuses) return { kind: 'error', picture: 'warning', text: `The disk is nearly full: ${bytes(free)} free. No recording begins below ${bytes(retention.free_for_new)}.`, action };
  if (low) return { kind: 'warning', picture: 'warning', text: `The disk is nearly full: ${Number.isFinite(free) ? `${bytes(free)} free` : 'little room is left'}.${retention ? ` No recording begins below ${bytes(retention.free_for_new)}.` : ''}`, action };
  return null;
}

/** The service waits for its next try of what is tuned. */
const isAway = ({ feed }) => ['waiting', 'failed'].includes(feed);

/** What is tuned sounds, and goes on: what a station that is away sent before may sound for a moment yet. */
const isHeard = (state) => state.phase === 'live' && !state.joining && !isAway(state);

/** Why what is tuned is not heard; nothing where it is, or may be in a moment. */
function troubleOf(state) {
  if (state.phase === 'live' && !state.joining) return '';
  const isTold = state.phase === 'failed' || isAway(state);
  return (isTold && state.feedReason) || state.reason || (isTold ? 'the stream failed' : '');
}

/** When it is tried again. A wait of a few seconds is as good as none, and needs no telling each time. */
function nextTry({ phase, retryIn, feed, retryAt }) {
  if (feed === 'failed') return 'It is not tried again by itself.';
  if (feed === 'waiting' && Date.parse(retryAt) - Date.now() > fewSeconds) return `Trying again at ${timeOfDay(retryAt)}.`;
  return phase === 'failed' && retryIn ? `Trying again in ${retryIn} s.` : 'Trying again now.';
}

function made(name, { kind, picture, text, action, dismiss }) {
  const [words, act] = action ?? [];
  const button = typeof act === 'string' ? h('a', { class: 'text-button', href: act }, words) : h('button', { type: 'button', class: 'text-button', onClick: act }, words);
  return h('div', { class: `banner ${kind}`, role: kind === 'error' ? 'alert' : 'status', data: { banner: name } }, icon(picture), h('p', { dir: 'auto' }, text), action && button, dismiss && iconButton('close', 'Dismiss', dismiss));
}

class BannerHost extends Part {
  /** What is told, by its name: its element, and all of it but its words. */
  #shown = new Map();
  #breaks = [];
  #last = '';
  #failed = null;

  connectedCallback() {
    this.follows('online', (isOnline) => this.#put('offline', isOnline === false && { kind: 'warning', picture: 'offline', text: 'The service cannot be reached. It is asked again by itself.' }));
    this.follows('player', (state) => {
      this.#failure(state);
      if (state.kind === 'live' && state.phase === 'stalled' && this.#last !== 'stalled') this.#stalled(state.station);
      this.#last = state.phase;
    });
    this.atEnd(on('recording-disk', ({ full }) => this.#put('disk', full && { kind: 'error', picture: 'warning', text: 'The disk is full. Recordings wait in memory; free some space.', action: ['Recordings', path('/recordings')] })));
    const sized = new ResizeObserver(() => document.documentElement.style.setProperty('--banners', `${this.offsetHeight}px`));
    sized.observe(this);
    this.atEnd(() => sized.disconnect());
    this.#watchStorage();
    this.follows('session', () => this.#guests());
  }

  /** What failed stays told while it is tried again, so that the page does not jump. */
  #failure(state) {
    const station = state.kind === 'live' && state.phase !== 'stopped' ? state.joining ?? state.station : null;
    if (this.#failed?.id !== station?.id || isHeard(state)) this.#failed = null;
    const reason = station && troubleOf(state);
    if (reason) this.#failed = { id: station.id, reason };
    this.#put('failed', this.#failed && { kind: 'error', picture: 'warning', text: `${station.name}: ${this.#failed.reason}. ${nextTry(state)}`, action: ['Next station', () => player.next()] });
  }

  #watchStorage() {
    let soon = 0;
    const look = () => api.peek('storage').then((found) => set('storage', found), () => {});
    const lookSoon = () => { clearTimeout(soon); soon = setTimeout(look, storageSoon); };
    const looking = setInterval(look, storageEvery);
    lookSoon();
    this.atEnd(() => { clearInterval(looking); clearTimeout(soon); });
    for (const name of ['recording', 'recording-disk', 'recording-deleted', 'again']) this.atEnd(on(name, lookSoon));
    this.follows('storage', (storage) => this.#put('storage', storage && ofStorage(storage)));
  }

  /** Whoever may look and listen is told once what more there is, and how to come by it. */
  #guests() {
    this.#put('pair', !isGuest() && !may('operator') && !kept.get('pair-told', false) && {
      kind: 'hint', picture: 'phone', text: 'You can look and listen here. To record, keep and change things, pair this browser.',
      action: ['Pair', () => set('sheet', { name: 'pair' })], dismiss: () => { kept.set('pair-told', true); this.#guests(); },
    });
  }

  async #stalled(station) {
    const now = Date.now();
    this.#breaks = [...this.#breaks.filter((at) => now - at < 60_000), now];
    if (this.#breaks.length < breaksOfThinLine) return;
    const { stations } = await api.get(`stations/${seg(station.id)}/qualities`).catch(() => ({ stations: [] }));
    const mine = stations.find((each) => each.id === station.id);
    // They come by bit rate, falling: the first that is lower is the next lower.
    const lower = stations.find((each) => each.id !== station.id && each.bitrate && each.bitrate < (mine?.bitrate ?? Infinity));
    this.#put('thin', { kind: 'warning', picture: 'warning', text: 'The connection is too slow for this stream.', action: lower ? [`Play ${lower.name} (${lower.bitrate} kbit/s)`, () => { this.#put('thin', null); player.tune(lower, null); }] : null });
    setTimeout(() => this.#put('thin', null), 60_000);
  }

  #takeAway(name, shown) {
    const isHeld = shown?.element.contains(document.activeElement);
    shown?.element.remove();
    this.#shown.delete(name);
    if (isHeld) focusIn(null, 0);
  }

  #put(name, banner) {
    const before = this.#shown.get(name);
    if (!banner) return this.#takeAway(name, before);
    // Of one that says the same in other words only these change: who is at its button stays there.
    const key = JSON.stringify({ ...banner, text: '' });
    if (before?.key === key) { setText(before.element.querySelector('p'), banner.text); return; }
    const element = made(name, banner);
    this.#shown.set(name, { key, element });
    if (before) before.element.replaceWith(element); else this.append(element);
  }
}
customElements.define('banner-host', BannerHost);
