// A link to copy by hand, where the browser lends no clipboard.
import { h } from '../core/dom.js';

export function sheet({ title, address }) {
  const input = h('input', { type: 'text', readonly: true, value: address, 'aria-label': 'Link' });
  input.addEventListener('focus', () => input.select());
  return { title: `Share ${title}`, content: h('label', { class: 'field' }, 'Link', input) };
}
