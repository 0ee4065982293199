// A long list of rows of one height, of which only those in sight, and a few around them, are in the page. However many
// there are, a frame makes a few rows and lays out a screenful.
import { Part } from '../core/store.js';
import { heldIn, focusIn } from '../core/dom.js';

/** Rows that are ready beyond both edges of the screen. */
const spare = 8;
/** Time for new rows in one frame, in milliseconds; what does not fit comes with the next frame. */
const budget = 6;
/** New rows in one frame, however quickly they are made: each has to be laid out too. */
const most = 8;
/** What a row is taken to be until one was measured, in pixels. */
const guess = 68;

class WindowedRows extends Part {
  /** Makes an element of an item. */
  row;
  /** The last rows have come into sight. */
  nearEnd = () => {};
  #items = [];
  #isWhole = true;
  /** Rows in the page, by the id of their item. */
  #made = new Map();
  #height = guess;
  #frame = 0;

  connectedCallback() {
    this.classList.add('rows', 'windowed');
    const resized = new ResizeObserver(() => this.#ask());
    resized.observe(this);
    const scrolled = () => this.#ask();
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
    addEventListener('resize', scrolled, { passive: true });
    this.atEnd(() => {
      resized.disconnect();
      document.removeEventListener('scroll', scrolled, { capture: true });
      removeEventListener('resize', scrolled);
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    });
    this.#ask();
  }

  /** What the list holds from now on; `isWhole` is false where more will come. Rows that stay are not touched. */
  set(items, { isWhole = true } = {}) {
    const held = this.contains(document.activeElement) ? document.activeElement : null;
    const row = held && [...this.children].find((each) => each.contains(held));
    const [place, control] = row ? [row.place, heldIn(row)] : [];
    this.#items = items;
    this.#isWhole = isWhole;
    if (items.length) this.setAttribute('role', 'list'); else this.removeAttribute('role');
    this.#layOut();
    if (row?.isConnected) held.focus({ preventScroll: true }); else if (row) this.#passOn(place, control);
    this.#ask();
  }

  /** The focus of a row that went goes to the one that stands there now. */
  #passOn(place, control) {
    const at = Math.min(place, this.#items.length - 1);
    if (at >= 0 && !this.#made.has(this.#items[at].id)) this.#make(at);
    focusIn(this.#made.get(this.#items[at]?.id), control);
  }

  #ask() { if (this.isConnected && !this.#frame) this.#frame = requestAnimationFrame(() => { this.#frame = 0; this.#draw(); }); }

  /** Places of the rows that belong into the page; those in sight first. */
  #wanted() {
    const top = this.getBoundingClientRect().top;
    const count = this.#items.length;
    const from = Math.min(count, Math.max(0, Math.floor(-top / this.#height)));
    const to = Math.max(from, Math.min(count, Math.ceil((innerHeight - top) / this.#height)));
    const places = [];
    for (let at = from; at < to; at += 1) places.push(at);
    for (let step = 0; step < spare; step += 1) {
      if (to + step < count) places.push(to + step);
      if (from - 1 - step >= 0) places.push(from - 1 - step);
    }
    return places;
  }

  #draw() {
    if (!this.isConnected || !this.offsetParent) return;
    const places = this.#wanted();
    const keep = new Set(places.map((at) => this.#items[at].id));
    for (const [id, element] of this.#made) if (!keep.has(id) && !isHeld(element)) this.#drop(id, element);
    const begun = performance.now();
    const missing = places.filter((at) => !this.#made.has(this.#items[at].id));
    for (const [index, at] of missing.entries()) {
      if (index === most || performance.now() - begun > budget) { this.#ask(); break; }
      this.#make(at);
    }
    if (this.#measure()) this.#ask();
    else if (!this.#isWhole && places.includes(this.#items.length - 1)) this.nearEnd();
  }

  #make(at) {
    const item = this.#items[at];
    const element = this.row(item);
    this.#made.set(item.id, element);
    this.#place(element, at);
    // In the order of their places, for the keyboard and for whoever listens to the page.
    this.insertBefore(element, [...this.children].find((other) => other.place > at) ?? null);
  }

  #drop(id, element) {
    element.remove();
    this.#made.delete(id);
  }

  #place(element, at) {
    element.place = at;
    element.style.setProperty('top', `${at * this.#height}px`);
    element.setAttribute('aria-posinset', String(at + 1));
    element.setAttribute('aria-setsize', this.#isWhole ? String(this.#items.length) : '-1');
  }

  /** Whether a row is of another height than was thought: of bigger letters, or the first that was made. */
  #measure() {
    const found = this.firstElementChild?.offsetHeight;
    if (!found || found === this.#height) return false;
    this.#height = found;
    this.#layOut();
    return true;
  }

  #layOut() {
    this.style.setProperty('height', `${this.#items.length * this.#height}px`);
    if (!this.#made.size) return;
    const places = new Map(this.#items.map(({ id }, at) => [id, at]));
    for (const [id, element] of this.#made) {
      const at = places.get(id);
      if (at === undefined) this.#drop(id, element); else this.#place(element, at);
    }
    const order = [...this.children];
    if (order.some((element, index) => index && order[index - 1].place > element.place)) this.append(...order.sort((one, other) => one.place - other.place));
  }
}
customElements.define('windowed-rows', WindowedRows);

/** A row that somebody holds, by focus or finger, stays until it is let go. */
const isHeld = (element) => element.contains(document.activeElement) || element.dataset.swipe !== undefined;

/** A list whose rows `row(item)` makes; every item has an `id`. */
export function windowedRows(row, nearEnd) {
  return Object.assign(document.createElement('windowed-rows'), { row, ...(nearEnd ? { nearEnd } : {}) });
}
