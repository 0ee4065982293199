// Lists: their empty, loading and error states, and rows that are made only as far as somebody scrolls.
import { h, icon, renew, whenLeft } from './dom.js';
import { on } from './events.js';
import { windowedRows } from '../parts/windowed-rows.js';

/** What a list shows while it has nothing: why, and what to do next. */
export function emptyState(picture, title, text, action = null) {
  return h('div', { class: 'state' }, icon(picture), h('strong', {}, title), text ? h('p', {}, text) : null, action);
}

export const loadingState = (rows = 4) => h('div', { class: 'loading', role: 'status', 'aria-label': 'Loading' }, Array.from({ length: rows }, () => h('div', { class: 'skeleton' })));

/** What is shown where something could not be had, until it can: `attempt` is the way there, and is gone by itself when the service is back. */
export function brokenState(error, attempt) {
  const state = emptyState('warning', error.message ?? 'That did not work.', error.remedy, h('button', { type: 'button', class: 'pill outline', onClick: attempt }, 'Try again'));
  const end = on('again', () => { end(); if (state.isConnected) attempt(); });
  return state;
}

/**
 * Fills a box from a promise: loading, then what `draw` makes of the answer, or the error and a way to try again.
 * `load` is called again by that way. What stands in the box stays until the answer is there.
 */
export function fill(box, load, draw, { rows = 4 } = {}) {
  const attempt = async () => {
    if (!box.firstChild) box.replaceChildren(loadingState(rows));
    try {
      const answer = await load();
      renew(box, ...[draw(answer)].flat().filter(Boolean));
    } catch (error) { box.replaceChildren(brokenState(error, () => { box.replaceChildren(); attempt(); })); }
  };
  attempt();
  return box;
}

/**
 * Fills a box as `fill` does, and again when one of the events `names` is told or some of them may have been missed: only where the
 * answer is another, and not under a hand that moves a row. Gives what does it at once.
 */
export function fillAndFollow(box, names, load, draw, options) {
  let [shown, round] = [null, 0];
  const drawn = (answer) => { shown = answer; return draw(answer, reload); };
  const reload = () => { round += 1; fill(box, load, drawn, options); };
  const look = async () => {
    const mine = ++round;
    const answer = await load().catch(() => null);
    if (!answer || mine !== round || !box.isConnected || JSON.stringify(answer) === JSON.stringify(shown)) return;
    if (box.querySelector('.dragged')) { box.addEventListener('dropped', look, { once: true }); return; }
    renew(box, ...[drawn(answer)].flat().filter(Boolean));
  };
  const ends = [...names, 'again'].map((name) => on(name, look));
  whenLeft(box, () => ends.forEach((end) => end()));
  reload();
  return reload;
}

/** A section with a heading and, perhaps, a way to all of it. */
export function section(title, content, more = null) {
  return h('section', { class: 'section' }, h('header', {}, h('h2', {}, title), more), content);
}

export const link = (to, text, className = 'text-button') => h('a', { class: className, href: to }, text);

/**
 * Keeps a list true: gives what is called with its rows. `key` names a row and `says` is all that its element shows, so that
 * elements that say the same stay as they are.
 */
export function keyed(list, { key, says, make }) {
  let shown = new Map();
  return (rows) => {
    const now = new Map();
    for (const row of rows) {
      const [name, text] = [key(row), JSON.stringify(says(row))];
      const known = shown.get(name);
      now.set(name, known?.text === text ? known : { text, element: make(row) });
      now.get(name).element.dataset.key = name;
    }
    shown = now;
    const elements = [...now.values()].map(({ element }) => element);
    if (elements.length !== list.children.length || elements.some((each, index) => list.children[index] !== each)) renew(list, ...elements);
  };
}

/**
 * A long list that fetches pages as it is scrolled: `page(offset, limit)` gives items, `row(item)` an element. Only rows in
 * sight are in the page.
 */
export function endless({ page, row, empty, size = 60 }) {
  const items = [];
  const list = windowedRows((item) => row(item, items), () => more());
  const box = h('div', {}, list);
  let isBusy = false;
  // The list stays where it is: taken out and put back, every row of it would be made and laid out anew.
  const say = (...what) => { while (list.nextSibling) list.nextSibling.remove(); box.append(...what); };
  let round = 0;
  async function more() {
    if (isBusy) return;
    isBusy = true;
    const mine = round;
    if (!items.length) say(loadingState());
    try {
      const found = await page(items.length, size);
      if (mine !== round) return;
      items.push(...found);
      say(...(items.length ? [] : [empty()]));
      list.set(items, { isWhole: found.length < size });
    } catch (error) {
      if (mine !== round) return;
      list.set(items);
      say(brokenState(error, () => { say(); more(); }));
    }
    isBusy = false;
  }
  /** From the beginning; what is on its way belongs to the list of before. */
  const reload = () => {
    round += 1;
    isBusy = false;
    items.length = 0;
    more();
  };
  return Object.assign(box, { items, reload });
}

/** The beginning of a screen: its title, which takes the focus when the screen is shown. */
export function screenBox(title, ...content) {
  return h('div', { class: 'screen', data: { title } }, h('h1', { tabindex: '-1' }, title), ...content);
}
