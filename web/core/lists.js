// Lists: their empty, loading and error states, and rows that are made only as far as somebody scrolls.
import { h, icon } from './dom.js';

/** What a list shows while it has nothing: why, and what to do next. */
export function emptyState(picture, title, text, action = null) {
  return h('div', { class: 'state' }, icon(picture), h('strong', {}, title), text ? h('p', {}, text) : null, action);
}

export const loadingState = (rows = 4) => h('div', { class: 'loading', role: 'status', 'aria-label': 'Loading' }, Array.from({ length: rows }, () => h('div', { class: 'skeleton' })));

/**
 * Fills a box from a promise: loading, then what `draw` makes of the answer, or the error and a way to try again.
 * `load` is called again by that way.
 */
export function fill(box, load, draw, { rows = 4 } = {}) {
  const attempt = async () => {
    if (!box.firstChild) box.replaceChildren(loadingState(rows));
    try {
      const answer = await load();
      box.replaceChildren(...[draw(answer)].flat().filter(Boolean));
    } catch (error) {
      box.replaceChildren(emptyState('warning', error.message ?? 'That did not work.', error.remedy, h('button', { type: 'button', class: 'pill outline', onClick: () => { box.replaceChildren(); attempt(); } }, 'Try again')));
    }
  };
  attempt();
  return box;
}

/** A section with a heading and, perhaps, a way to all of it. */
export function section(title, content, more = null) {
  return h('section', { class: 'section' }, h('header', {}, h('h2', {}, title), more), content);
}

export const link = (to, text, className = 'text-button') => h('a', { class: className, href: to }, text);

/** Rows that are made in one frame. */
const portion = 3;

/**
 * A long list that fetches pages as it is scrolled: `page(offset, limit)` gives items, `row(item)` an element. Rows out of
 * sight cost no layout (`content-visibility`), and a page at a time is made.
 */
export function endless({ page, row, empty, size = 60 }) {
  const list = h('div', { class: 'rows', role: 'list' });
  const end = h('div', { class: 'sentinel' });
  const box = h('div', {}, list, end);
  const items = [];
  let isBusy = false;
  let isOver = false;
  async function more() {
    if (isBusy || isOver) return;
    isBusy = true;
    if (!items.length) list.replaceChildren(loadingState());
    try {
      const found = await page(items.length, size);
      if (!items.length) list.replaceChildren();
      items.push(...found);
      isOver = found.length < size;
      if (!items.length) { list.replaceChildren(empty()); list.removeAttribute('role'); }
      // In small portions, so that a page of rows is never one long task.
      for (let at = 0; at < found.length; at += portion) {
        list.append(...found.slice(at, at + portion).map((item) => row(item, items)));
        if (at + portion < found.length) await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    } catch (error) {
      isOver = true;
      if (!items.length) list.replaceChildren();
      list.append(emptyState('warning', error.message, error.remedy, h('button', { type: 'button', class: 'pill outline', onClick: () => { isOver = false; list.lastChild.remove(); more(); } }, 'Try again')));
    }
    isBusy = false;
    if (!isOver && end.isConnected && end.getBoundingClientRect().top < innerHeight + 400) more();
  }
  new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) more(); }, { rootMargin: '600px' }).observe(end);
  return Object.assign(box, { items, reload: () => { items.length = 0; isOver = false; list.setAttribute('role', 'list'); more(); } });
}

/** The beginning of a screen: its title, which takes the focus when the screen is shown. */
export function screenBox(title, ...content) {
  return h('div', { class: 'screen', data: { title } }, h('h1', { tabindex: '-1' }, title), ...content);
}
