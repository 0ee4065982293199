// What was done, for a few seconds, with a way to take it back.
import { h, iconButton } from '../core/dom.js';
import { Part, get, set } from '../core/store.js';

class ToastHost extends Part {
  #toast = null;
  /** Where it stands before it says something, so that it is read out. */
  #own = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

  connectedCallback() {
    this.replaceChildren(this.#own);
    this.follows('toast', (toast) => this.#show(toast));
    this.follows('dialog', () => this.#place());
  }

  #show(toast) {
    clearTimeout(this.timer);
    this.#toast?.remove();
    this.#toast = null;
    if (!toast) return;
    const close = () => set('toast', null);
    this.#toast = h('div', { class: `toast ${toast.kind ?? ''}` },
      h('p', {}, toast.text, toast.remedy ? h('small', {}, toast.remedy) : null),
      toast.undo ? h('button', { type: 'button', class: 'text-button', onClick: () => { close(); toast.undo(); } }, 'Undo') : null,
      iconButton('close', 'Dismiss', close));
    this.#place();
    const leave = () => { clearTimeout(this.timer); this.timer = setTimeout(close, toast.undo || toast.kind === 'error' ? 8000 : 4000); };
    // It waits for whoever is at it.
    const stay = () => clearTimeout(this.timer);
    for (const [name, act] of [['pointerenter', stay], ['focusin', stay], ['pointerleave', leave], ['focusout', leave]]) this.#toast.addEventListener(name, act);
    leave();
  }

  /** Beside an open sheet nothing can be pressed: what is said while one is open is said in it. */
  #place() {
    const place = get('dialog')?.querySelector('.toasts') ?? this.#own;
    if (this.#toast && this.#toast.parentElement !== place) place.append(this.#toast);
  }
}
customElements.define('toast-host', ToastHost);
