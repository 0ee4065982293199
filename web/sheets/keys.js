// The list of keys.
import { h } from '../core/dom.js';
import { list } from '../core/keys.js';

export function sheet() {
  return { title: 'Keys', content: h('dl', { class: 'keys' }, list.flatMap(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)])) };
}
