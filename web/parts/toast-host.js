// What was done, for a few seconds, with a way to take it back.
import { h, iconButton } from '../core/dom.js';
import { Part, set } from '../core/store.js';

class ToastHost extends Part {
  connectedCallback() {
    this.setAttribute('role', 'status');
    this.setAttribute('aria-live', 'polite');
    this.follows('toast', (toast) => this.#show(toast));
  }

  #show(toast) {
    clearTimeout(this.timer);
    if (!toast) return this.replaceChildren();
    const close = () => set('toast', null);
    this.replaceChildren(h('div', { class: `toast ${toast.kind ?? ''}` },
      h('p', {}, toast.text, toast.remedy ? h('small', {}, toast.remedy) : null),
      toast.undo ? h('button', { type: 'button', class: 'text-button', onClick: () => { close(); toast.undo(); } }, 'Undo') : null,
      iconButton('close', 'Dismiss', close)));
    this.timer = setTimeout(close, toast.undo || toast.kind === 'error' ? 8000 : 4000);
  }
}
customElements.define('toast-host', ToastHost);
