// What was done, for a few seconds, with a way to take it back.
import { h, iconButton, focusIn } from '../core/dom.js';
import { Part, get, set } from '../core/store.js';

class ToastHost extends Part {
  #toast = null;
  /** What it says. */
  #said = null;
  /** What had the focus before the toast. */
  #from = null;
  /** Where it stands before it says something, so that it is read out. */
  #own = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

  connectedCallback() {
    this.replaceChildren(this.#own);
    this.follows('toast', (toast) => this.#show(toast));
    this.follows('dialog', () => this.#place());
    this.follows('route', ({ tab }) => { this.dataset.side = tab === 'recordings' ? 'recorded' : 'live'; });
  }

  #show(toast) {
    clearTimeout(this.timer);
    this.#leave();
    const before = this.#said;
    this.#said = toast;
    // Whatever could be taken back cannot any more.
    before?.gone?.();
    if (!toast) return;
    const close = () => set('toast', null);
    const undo = () => { this.#said = null; close(); toast.undo(); };
    this.#toast = h('div', { class: `toast ${toast.kind ?? ''}`, onFocusin: ({ relatedTarget }) => { if (!this.#toast.contains(relatedTarget)) this.#from = relatedTarget; } },
      h('p', {}, toast.text, toast.remedy ? h('small', {}, toast.remedy) : null),
      toast.undo ? h('button', { type: 'button', class: 'text-button', onClick: undo }, 'Undo') : null,
      iconButton('close', 'Dismiss', close));
    this.#place();
    this.#leaveLater(close, toast.undo || toast.kind === 'error' ? 8000 : 4000);
  }

  /** The focus goes back to where it came from. */
  #leave() {
    const isHeld = this.#toast?.contains(document.activeElement);
    this.#toast?.remove();
    this.#toast = null;
    if (isHeld) { if (this.#from?.isConnected) this.#from.focus({ preventScroll: true }); else focusIn(null, 0); }
    this.#from = null;
  }

  /** It waits for whoever is at it, by pointer or keyboard. */
  #leaveLater(close, milliseconds) {
    this.timer = setTimeout(() => { if (this.#toast.matches(':hover, :focus-within')) this.#leaveLater(close, milliseconds); else close(); }, milliseconds);
  }

  /** Beside an open sheet nothing can be pressed: what is said while one is open is said in it. */
  #place() {
    const place = get('dialog')?.querySelector('.toasts') ?? this.#own;
    if (this.#toast && this.#toast.parentElement !== place) place.append(this.#toast);
  }
}
customElements.define('toast-host', ToastHost);
