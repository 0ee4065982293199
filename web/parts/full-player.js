// The sheet that holds the full player: over everything on a phone, beside the list on a wide screen.
import { h, icon } from '../core/dom.js';
import { Part, get, set } from '../core/store.js';
import { layer } from '../core/router.js';
import { paintPlaying } from '../core/tint.js';
import './live-player.js';

const wide = matchMedia('(min-width: 64rem)');

class FullPlayer extends Part {
  #kind = null;
  #before = null;
  #closed = null;

  connectedCallback() {
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', 'Player');
    this.follows('player', (state) => this.#show(state));
    paintPlaying(this);
    this.follows('full', (isOpen) => this.#open(Boolean(isOpen)));
    const resized = () => this.#open(Boolean(get('full')));
    wide.addEventListener('change', resized);
    this.atEnd(() => wide.removeEventListener('change', resized));
    this.#open(false);
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
    // Banners and toasts are told over it.
    for (const part of document.querySelectorAll('#screen, app-shell > .dock')) part.inert = isSheet && isOpen;
    this.#layer(isSheet && isOpen);
    if (!isSheet) return;
    if (isOpen) {
      this.#before = document.activeElement;
      this.querySelector('button')?.focus({ preventScroll: true });
    } else if (this.#before?.isConnected) {
      this.#before.focus({ preventScroll: true });
      this.#before = null;
    }
  }

  /** Back puts it away. */
  #layer(isOver) {
    if (isOver) return void (this.#closed ??= layer(() => { this.#closed = null; set('full', false); }));
    const closed = this.#closed;
    this.#closed = null;
    closed?.();
  }

  /** A swipe down puts it away; until the finger is lifted it follows. */
  #swipe() {
    let from = null;
    const down = (event) => event.clientY - from.y;
    const isMeant = (event) => from && this.scrollTop <= 0 && down(event) > Math.abs(event.clientX - from.x);
    const end = () => { from = null; this.style.removeProperty('translate'); this.toggleAttribute('dragged', false); };
    this.addEventListener('pointerdown', (event) => { from = !wide.matches && !event.target.closest('input, [role=slider], .scrubber, button') ? { y: event.clientY, x: event.clientX } : null; });
    this.addEventListener('pointermove', (event) => {
      // Lifted where this does not hear of it.
      if (from && !event.buttons) return end();
      if (!isMeant(event)) return;
      this.toggleAttribute('dragged', true);
      this.style.setProperty('translate', `0 ${down(event)}px`);
    });
    // A browser that begins to scroll takes the pointer away.
    this.addEventListener('touchmove', (event) => { if (event.cancelable && isMeant(event.touches[0])) event.preventDefault(); }, { passive: false });
    this.addEventListener('pointerup', (event) => {
      const isFar = isMeant(event) && down(event) > 80;
      end();
      if (isFar) set('full', false);
    });
    this.addEventListener('pointercancel', end);
  }
}
customElements.define('full-player', FullPlayer);
