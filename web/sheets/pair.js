// Pairs this browser by a one-time code.
import { h } from '../core/dom.js';
import { pair, deviceName } from '../core/pairing.js';

export function sheet(_, close) {
  const code = h('input', { type: 'text', name: 'code', autocomplete: 'one-time-code', autocapitalize: 'characters', spellcheck: 'false', maxlength: '12', placeholder: 'K7QM-3XWD', required: true, class: 'tabular', autofocus: true });
  const name = h('input', { type: 'text', name: 'device', maxlength: '60', value: deviceName() });
  const content = h('form', {
    class: 'stack gap',
    onSubmit: async (event) => { event.preventDefault(); if (await pair(code.value, name.value)) close(); },
  },
  h('p', {}, 'To play at the service, record or change something, this browser has to be paired once. Run ', h('code', {}, 'aircheck pair'), ' on the machine, or open Settings on a paired device, and type the code that it shows.'),
  h('label', { class: 'field' }, 'Code', code), h('label', { class: 'field' }, 'What to call this device', name),
  h('button', { type: 'submit', class: 'pill primary' }, 'Pair'));
  return { title: 'Pair this browser', content };
}
