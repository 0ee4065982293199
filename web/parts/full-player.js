// The sheet that holds the full player: over everything on a phone, beside the list on a wide screen.
import { h, icon } from '../core/dom.js';
import { Part, get, set } from '../core/store.js';
import './live-player.js';

const wide = matchMedia('(min-width: 64rem)');

class FullPlayer extends Part {
  #kind = null;
  #before = null;

  connectedCallback() {
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', 'Player');
    this.follows('player', (state) => this.#show(state));
    this.follows('full', (isOpen) => this.#open(Boolean(isOpen)));
    const resized = () => this.#open(Boolean(get('full')));
    wide.addEventListener('change', resized);
    this.atEnd(() => wide.removeEventListener('change', resized));
    this.#open(false);
    this.addEventListener('keydown', (event) => { if (event.key === 'Escape' && !get('sheet')) set('full', false); });
    this.#swipe();
  }

  async #show(state) {
    if (this.#kind === state.kind) return;
    this.#kind = state.kind;
    if (state.kind === 'none') {
      set('full', false);
      return this.replaceChildren(h('div', { class: 'state' }, icon('mark'), h('strong', {}, 'Nothing plays'), h('p', {}, 'Choose a station, or a recording.')));
    }
    if (state.kind === 'recorded') await import('./recording-player.js').catch(() => {});
    if (this.#kind !== state.kind) return;
    this.replaceChildren(document.createElement(state.kind === 'live' ? 'live-player' : 'recording-player'));
    this.#open(Boolean(get('full')));
  }

  /** Open on a phone, or beside the list where there is room; else out of reach of everybody. */
  #open(isOpen) {
    const isSheet = !wide.matches;
    this.toggleAttribute('open', isOpen);
    this.inert = isSheet && !isOpen;
    document.documentElement.toggleAttribute('data-full', isSheet && isOpen);
    for (const part of document.querySelectorAll('app-shell > .column, app-shell > .dock')) part.inert = isSheet && isOpen;
    if (!isSheet) return;
    if (isOpen) {
      this.#before = document.activeElement;
      this.querySelector('button')?.focus({ preventScroll: true });
    } else if (this.#before?.isConnected) {
      this.#before.focus({ preventScroll: true });
      this.#before = null;
    }
  }

  /** A swipe down puts it away. */
  #swipe() {
    let from = null;
    this.addEventListener('pointerdown', (event) => { from = event.target.closest('input, [role=slider], .scrubber, button') ? null : { y: event.clientY, x: event.clientX }; });
    this.addEventListener('pointerup', (event) => {
      if (from && this.scrollTop <= 0 && event.clientY - from.y > 80 && Math.abs(event.clientX - from.x) < 60) set('full', false);
      from = null;
    });
  }
}
customElements.define('full-player', FullPlayer);
