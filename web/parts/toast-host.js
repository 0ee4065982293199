// What was done, for a few seconds, with a way to take it back.
import { h, iconButton, focusIn } from '../core/dom.js';
import { Part, get } from '../core/store.js';

/** What is done only once it cannot be taken back any more stands for as long as it says; what is said later beside it, one after the other. */
const placeOf = (toast) => (toast.gone ? 'deed' : 'word');

class ToastHost extends Part {
  /** What is told, by its place: the toast, its element, and what had the focus before it. */
  #told = new Map();
  /** Where it stands before it says something, so that it is read out. */
  #own = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

  connectedCallback() {
    this.replaceChildren(this.#own);
    this.follows('toast', (toast) => this.#show(toast));
    this.follows('dialog', () => this.#place());
    this.follows('route', ({ tab }) => { this.dataset.side = tab === 'recordings' ? 'recorded' : 'live'; });
  }

  #show(toast) {
    if (!toast) return;
    for (const before of [...this.#told.values()]) if (toast.gone || !before.toast.gone) this.#end(before);
    const told = { toast, element: null, from: null, timer: 0 };
    const close = () => this.#end(told);
    const undo = () => { this.#leave(told); toast.undo(); };
    told.element = h('div', { class: `toast ${toast.kind ?? ''}`, onFocusin: ({ relatedTarget }) => { if (!told.element.contains(relatedTarget)) told.from = relatedTarget; } },
      h('p', {}, toast.text, toast.remedy ? h('small', {}, toast.remedy) : null),
      toast.undo ? h('button', { type: 'button', class: 'text-button', onClick: undo }, 'Undo') : null,
      iconButton('close', 'Dismiss', close));
    this.#told.set(placeOf(toast), told);
    this.#place();
    this.#endLater(told, toast.undo || toast.kind === 'error' ? 8000 : 4000);
  }

  /** Whatever could be taken back cannot any more. */
  #end(told) {
    if (!told || !this.#leave(told)) return;
    told.toast.gone?.();
  }

  /** The focus goes back to where it came from. False where it has left already. */
  #leave({ toast, element, from, timer }) {
    if (this.#told.get(placeOf(toast))?.element !== element) return false;
    clearTimeout(timer);
    const isHeld = element.contains(document.activeElement);
    this.#told.delete(placeOf(toast));
    element.remove();
    if (isHeld) { if (from?.isConnected) from.focus({ preventScroll: true }); else focusIn(null, 0); }
    return true;
  }

  /** It waits for whoever is at it, by pointer or keyboard. */
  #endLater(told, milliseconds) {
    told.timer = setTimeout(() => { if (told.element.matches(':hover, :focus-within')) this.#endLater(told, milliseconds); else this.#end(told); }, milliseconds);
  }

  /** Beside an open sheet nothing can be pressed: what is said while one is open is said in it. */
  #place() {
    const place = get('dialog')?.querySelector('.toasts') ?? this.#own;
    for (const { element } of this.#told.values()) if (element.parentElement !== place) place.append(element);
  }
}
customElements.define('toast-host', ToastHost);
