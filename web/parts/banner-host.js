// What is wrong, what is tried next, and what can be done: the stream, the network, the bandwidth, the disk.
import { h, icon } from '../core/dom.js';
import { Part, set } from '../core/store.js';
import { on } from '../core/events.js';
import { player } from '../core/player.js';
import { path } from '../core/router.js';
import { api, seg } from '../core/api.js';

/** Breaks within a minute that mean that the line is too thin. */
const breaksOfThinLine = 3;

/** How often the room for recordings is looked at, in milliseconds. */
const storageEvery = 300_000;

class BannerHost extends Part {
  #shown = new Map();
  #breaks = [];
  #last = '';

  connectedCallback() {
    this.follows('online', (isOnline) => this.#put('offline', isOnline === false && { kind: 'warning', picture: 'offline', text: 'The service cannot be reached. It is asked again by itself.' }));
    this.follows('player', (state) => {
      const has = state.kind === 'live' && state.phase === 'failed';
      this.#put('failed', has && {
        kind: 'error', picture: 'warning', text: `${state.station.name}: ${state.reason || 'the stream failed'}${state.feedReason ? ` (${state.feedReason})` : ''}. ${state.retryIn ? `Trying again in ${state.retryIn} s.` : 'The service tries the next address.'}`,
        action: ['Next station', () => player.next()],
      });
      if (state.kind === 'live' && state.phase === 'stalled' && this.#last !== 'stalled') this.#stalled(state.station);
      this.#last = state.phase;
    });
    this.atEnd(on('recording-disk', ({ full }) => this.#put('disk', full && { kind: 'error', picture: 'warning', text: 'The disk is full. Recordings wait in memory; free some space.', action: ['Recordings', path('/recordings')] })));
    const lookAtStorage = () => api.get('storage').then((found) => set('storage', found), () => {});
    const looking = setInterval(lookAtStorage, storageEvery);
    setTimeout(lookAtStorage, 3000);
    this.atEnd(() => clearInterval(looking));
    this.follows('storage', (storage) => this.#put('storage', storage?.low && { kind: 'warning', picture: 'warning', text: 'There is little room left for recordings.', action: ['Storage', path('/settings')] }));
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

  #put(name, banner) {
    if (banner) this.#shown.set(name, banner); else if (!this.#shown.delete(name)) return;
    const key = JSON.stringify([...this.#shown]);
    if (key === this.key) return;
    this.key = key;
    this.replaceChildren(...[...this.#shown].map(([id, { kind, picture, text, action }]) => h('div', { class: `banner ${kind}`, role: kind === 'error' ? 'alert' : 'status', data: { banner: id } },
      icon(picture), h('p', { dir: 'auto' }, text),
      action ? (typeof action[1] === 'string' ? h('a', { class: 'text-button', href: action[1] }, action[0]) : h('button', { type: 'button', class: 'text-button', onClick: action[1] }, action[0])) : null)));
  }
}
customElements.define('banner-host', BannerHost);
