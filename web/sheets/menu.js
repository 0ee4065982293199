// A list of things to do.
import { h, icon } from '../core/dom.js';
import { may } from '../core/role.js';

export function sheet({ title, items }, close) {
  const content = h('ul', { class: 'menu' }, items.filter((item) => item && may(item.needs)).map(({ picture, text, act, danger }) =>
    h('li', {}, h('button', { type: 'button', class: danger ? 'danger' : '', onClick: () => { close(); act(); } }, icon(picture), h('span', {}, text)))));
  return { title, content };
}
