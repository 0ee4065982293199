// The bar above the tabs: what plays, and the one control that matters. Live has a sweep on its top edge, a recording a
// thin line of its progress.
import { h, iconButton, setButton, setText } from '../core/dom.js';
import { Part, get, set } from '../core/store.js';
import { player, position, isSounding, isTuned } from '../core/player.js';
import { airing, eyebrow, sentence, waiting } from '../core/format.js';
import { isFavourite, setFavourite } from '../core/actions.js';
import { paintPlaying } from '../core/tint.js';
import { stationTile } from './station-tile.js';
import './scan-bar.js';

class MiniPlayer extends Part {
  #kind = null;
  #key = '';

  connectedCallback() {
    this.follows('player', () => this.#show());
    paintPlaying(this);
    this.follows('heard', () => this.#show());
    this.follows('stations', () => this.#show());
    const timer = setInterval(() => this.#progress(), 250);
    this.atEnd(() => clearInterval(timer));
    // A swipe up opens, down closes what can be closed.
    let from = null;
    this.addEventListener('pointerdown', (event) => { from = event.clientY; });
    this.addEventListener('pointerup', (event) => {
      if (from !== null && from - event.clientY > 30) set('full', true);
      from = null;
    });
  }

  #show() {
    const state = get('player');
    this.hidden = state.kind === 'none';
    this.closest('app-shell')?.toggleAttribute('has-mini', !this.hidden);
    if (this.hidden) { this.#kind = null; this.replaceChildren(); return; }
    const key = state.kind === 'live' ? state.station.id : state.recording.id;
    if (this.#kind !== state.kind || this.#key !== key) this.#build(state);
    [this.#kind, this.#key] = [state.kind, key];
    const sounds = isSounding() || isTuned();
    if (state.kind === 'live') {
      setText(this.name, state.station.name);
      setText(this.line, state.phase === 'failed' ? sentence(state.reason || 'the stream failed') : (state.joining ? '' : airing(get('heard'))) || waiting(state) || (sounds ? 'Live radio' : 'Stopped'));
      setButton(this.main, sounds ? 'stop' : 'play', sounds ? `Stop ${state.station.name}` : `Listen to ${state.station.name}`);
      const loved = isFavourite(state.station.id);
      setButton(this.extra, 'heart', loved ? 'Remove from favourites' : 'Add to favourites', { solid: loved });
      this.extra.classList.toggle('on', loved);
    } else {
      const { recording } = state;
      setText(this.name, recording.show || recording.station.name);
      setText(this.line, state.phase === 'failed' ? sentence(state.reason) : `${eyebrow(recording.started)} · ${recording.show ? recording.station.name : 'Recording'}`);
      setButton(this.main, sounds ? 'pause' : 'play', sounds ? 'Pause' : 'Play');
      this.#progress();
    }
  }

  #build(state) {
    const isLive = state.kind === 'live';
    this.dataset.side = isLive ? 'live' : 'recorded';
    this.name = h('strong', { class: 'one-line', dir: 'auto' });
    this.line = h('span', { class: 'one-line', dir: 'auto' });
    this.main = iconButton('play', 'Play', () => player.toggle(), { className: 'round mini-main' });
    this.extra = isLive
      ? iconButton('heart', 'Add to favourites', () => { const { station } = get('player'); setFavourite(station, !isFavourite(station.id)); }, { data: { needs: 'operator' } })
      : iconButton('back30', 'Back 30 seconds', () => player.skip(-30));
    const open = h('button', { type: 'button', class: 'mini-open', 'aria-label': 'Open the player', onClick: () => set('full', true) }, stationTile(isLive ? state.station : state.recording.station), h('span', { class: 'stack' }, this.name, this.line));
    const queue = iconButton('queue', 'Up next', () => set('sheet', { name: 'queue' }));
    this.edge = isLive ? Object.assign(document.createElement('scan-bar'), { className: 'edge' }) : h('div', { class: 'edge line', 'aria-hidden': 'true' }, h('i', {}));
    if (isLive) this.edge.setAttribute('thin', '');
    this.replaceChildren(...[this.edge, open, isLive ? null : this.extra, this.main, isLive ? this.extra : queue].filter(Boolean));
  }

  #progress() {
    const state = get('player');
    if (state?.kind !== 'recorded' || !this.edge?.firstChild?.style) return;
    this.edge.firstChild.style.setProperty('--part', state.duration ? (position() / state.duration).toFixed(4) : '0');
  }
}
customElements.define('mini-player', MiniPlayer);
