// A list whose rows can be moved: by its handles with a finger or a mouse, by Alt and the arrows with a keyboard.
import { h, icon } from './dom.js';
import { toast } from './actions.js';

/** Gives each row a handle. `moved(from, to)` is told of places; `label(index)` names a row. */
export function reorderable(list, { moved, label }) {
  const rows = () => [...list.children].filter((row) => !row.matches('.state'));
  const say = (index) => toast(`${label(index)}: place ${index + 1} of ${rows().length}`);

  function move(row, to) {
    const all = rows();
    const from = all.indexOf(row);
    if (to < 0 || to >= all.length || to === from) return;
    if (to > from) all[to].after(row); else all[to].before(row);
    moved(from, to);
    row.querySelector('.handle')?.focus();
    say(to);
  }

  for (const row of rows()) {
    const handle = h('button', { type: 'button', class: 'handle round', 'aria-label': 'Move: Alt and an arrow, or drag', data: { arrows: '' } }, icon('grip'));
    handle.addEventListener('keydown', (event) => {
      if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
      event.preventDefault();
      event.stopPropagation();
      move(row, rows().indexOf(row) + (event.key === 'ArrowUp' ? -1 : 1));
    });
    handle.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      const from = rows().indexOf(row);
      const before = [...list.children];
      const held = new AbortController();
      row.classList.add('dragged');
      const drag = (moving) => {
        const over = rows().find((each) => each !== row && moving.clientY >= each.getBoundingClientRect().top && moving.clientY < each.getBoundingClientRect().bottom);
        if (!over) return;
        const box = over.getBoundingClientRect();
        // The others move, never the one that is held: a part that is moved about loses the pointer.
        const isAbove = rows().indexOf(over) < rows().indexOf(row);
        if (isAbove && moving.clientY < box.top + box.height / 2) row.after(over);
        if (!isAbove && moving.clientY > box.top + box.height / 2) row.before(over);
      };
      const drop = (event) => {
        held.abort();
        row.classList.remove('dragged');
        // What is taken from the hand goes back to where it was.
        if (event.type === 'pointercancel') list.replaceChildren(...before);
        const to = rows().indexOf(row);
        if (to !== from) moved(from, to);
        list.dispatchEvent(new CustomEvent('dropped', { bubbles: true }));
      };
      for (const [name, act] of [['pointermove', drag], ['pointerup', drop], ['pointercancel', drop]]) handle.addEventListener(name, act, { signal: held.signal });
    });
    row.prepend(handle);
  }
}
