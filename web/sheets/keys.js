// The list of keys.
import { h } from '../core/dom.js';
import { list, rowList } from '../core/keys.js';

const keys = (rows) => h('dl', { class: 'keys' }, rows.flatMap(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)]));

export function sheet() {
  return { title: 'Keys', content: h('div', {}, keys(list), h('h3', {}, 'On a recording in a list'), keys(rowList)) };
}
