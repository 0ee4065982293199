// Car mode: three very large controls, for landscape.
import { h, iconButton, setButton, setText } from '../core/dom.js';
import { Part, get } from '../core/store.js';
import { player, position, isSounding, isTuned } from '../core/player.js';
import { clock, airing, waiting } from '../core/format.js';
import { title } from '../core/recordings.js';
import { back, path } from '../core/router.js';
import { paintPlaying } from '../core/tint.js';

class CarMode extends Part {
  connectedCallback() {
    this.name = h('p', { class: 'car-title one-line', dir: 'auto' });
    this.line = h('p', { class: 'car-line one-line tabular', dir: 'auto' });
    this.way = h('a', { class: 'pill outline', href: path('/radio') }, 'Find a station');
    this.left = iconButton('back30', 'Back 30 seconds', () => (get('player').kind === 'live' ? player.previous() : player.skip(-30)), { className: 'car-button' });
    this.main = iconButton('play', 'Play', () => player.toggle(), { className: 'car-button main' });
    this.right = iconButton('forward30', 'Forward 30 seconds', () => (get('player').kind === 'live' ? player.next() : player.skip(30)), { className: 'car-button' });
    this.replaceChildren(h('div', { class: 'car-top' }, h('div', { class: 'stack' }, this.name, this.line, this.way), iconButton('close', 'Leave car mode', () => back('/recordings'))), h('div', { class: 'car-controls' }, this.left, this.main, this.right));
    this.follows('player', () => this.#show());
    paintPlaying(this);
    this.follows('heard', () => this.#show());
    const ticking = setInterval(() => this.#show(), 500);
    this.atEnd(() => clearInterval(ticking));
    const left = (event) => { if (event.key === 'Escape' && !get('sheet')) back('/recordings'); };
    document.addEventListener('keydown', left);
    this.atEnd(() => document.removeEventListener('keydown', left));
    document.documentElement.toggleAttribute('data-car', true);
    this.atEnd(() => document.documentElement.removeAttribute('data-car'));
  }

  #show() {
    const state = get('player');
    const isLive = state.kind === 'live';
    const sounds = isSounding() || isTuned();
    this.way.hidden = state.kind !== 'none';
    for (const button of [this.left, this.main, this.right]) button.disabled = state.kind === 'none';
    setText(this.name, state.kind === 'none' ? 'Nothing plays' : isLive ? state.station.name : title(state.recording));
    setText(this.line, isLive ? (state.joining ? '' : airing(get('heard'))) || waiting(state) : state.kind === 'recorded' ? `${clock(position())} · −${clock((state.duration ?? 0) - position())}` : '');
    setButton(this.left, isLive ? 'previous' : 'back30', isLive ? 'Previous station' : 'Back 30 seconds');
    setButton(this.right, isLive ? 'next' : 'forward30', isLive ? 'Next station' : 'Forward 30 seconds');
    setButton(this.main, sounds ? (isLive ? 'stop' : 'pause') : 'play', sounds ? (isLive ? 'Stop' : 'Pause') : 'Play');
    this.dataset.side = isLive ? 'live' : 'recorded';
  }
}
customElements.define('car-mode', CarMode);

export function screen() {
  const box = h('div', { class: 'screen car', data: { title: 'Car mode' } }, h('h1', { class: 'visually-hidden', tabindex: '-1' }, 'Car mode'), document.createElement('car-mode'));
  return box;
}
