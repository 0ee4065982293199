// The sheets that slide in from below: menus, the sleep timer, the sound, pairing, the list of keys. One at a time.
import { h, iconButton } from '../core/dom.js';
import { Part, get, set } from '../core/store.js';
import { layer } from '../core/router.js';
import { paintPlaying } from '../core/tint.js';
import { toast } from '../core/actions.js';

/** Sheets and the modules that fill them. */
const table = {
  menu: () => import('../sheets/menu.js'), sleep: () => import('../sheets/sleep.js'), sound: () => import('../sheets/sound.js'),
  pair: () => import('../sheets/pair.js'), keys: () => import('../sheets/keys.js'), link: () => import('../sheets/link.js'),
  queue: () => import('../sheets/queue.js'), chapters: () => import('../sheets/chapters.js'), speed: () => import('../sheets/speed.js'),
  bookmarks: () => import('../sheets/bookmarks.js'), effects: () => import('../sheets/effects.js'), filter: () => import('../sheets/filter.js'),
  dial: () => import('../sheets/dial.js'),
};

/** What these are about is recorded, whatever plays. */
const ofRecordings = ['queue', 'chapters', 'speed', 'bookmarks', 'effects', 'filter'];

class SheetHost extends Part {
  #before = null;
  #closed = null;

  connectedCallback() {
    this.follows('sheet', (sheet) => this.#show(sheet));
    paintPlaying(this);
  }

  async #show(sheet) {
    this.querySelector('dialog')?.close();
    set('dialog', null);
    this.replaceChildren();
    if (!sheet) {
      const closed = this.#closed;
      this.#closed = null;
      closed?.();
      if (this.#before?.isConnected) this.#before.focus({ preventScroll: true });
      this.#before = null;
      return;
    }
    this.#closed ??= layer(() => { this.#closed = null; set('sheet', null); });
    this.#before ??= document.activeElement;
    const module = await table[sheet.name]?.().catch(() => null);
    if (get('sheet') !== sheet) return;
    if (!module) {
      set('sheet', null);
      return toast('This could not be opened: the service cannot be reached.', { kind: 'error' });
    }
    const close = () => { if (get('sheet') === sheet) set('sheet', null); };
    const { title, content } = module.sheet(sheet, close);
    const dialog = h('dialog', { class: 'sheet', 'aria-labelledby': 'sheet-title', data: { sheet: sheet.name, side: ofRecordings.includes(sheet.name) || get('player')?.kind === 'recorded' ? 'recorded' : 'live' } },
      h('header', {}, h('h2', { id: 'sheet-title' }, title), iconButton('close', 'Close', close)), content, h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' }));
    dialog.addEventListener('cancel', (event) => { event.preventDefault(); close(); });
    dialog.addEventListener('click', (event) => { if (event.target === dialog) close(); });
    this.replaceChildren(dialog);
    dialog.showModal();
    set('dialog', dialog);
  }
}
customElements.define('sheet-host', SheetHost);
