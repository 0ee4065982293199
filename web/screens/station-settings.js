// A station's own settings: how its titles are read, how loud it is, how much of its past is kept. What is changed here
// lies on top of the station's file, which is never written.
import { h } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { path } from '../core/router.js';
import { section, fill, link, screenBox } from '../core/lists.js';
import { failed, toast } from '../core/actions.js';

const groups = [
  ['Titles', ['charset', 'titles']],
  ['Sound and past', ['gain', 'window', 'always_on', 'fallback']],
  ['What it is', ['name', 'genre', 'country', 'language', 'market', 'frequency', 'callsign', 'homepage', 'logo', 'programme', 'tags', 'groups']],
];
const names = { titles: 'Title rules, one a line', gain: 'Gain in dB', window: 'Past that is kept', always_on: 'Stays connected', tags: 'Tags, one a line', groups: 'Groups, one a line', callsign: 'Call sign', charset: 'Charset of its titles' };
const label = (key) => names[key] ?? key[0].toUpperCase() + key.slice(1).replace('_', ' ');
const charsets = ['utf-8', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254', 'iso-8859-1', 'iso-8859-2', 'iso-8859-15', 'koi8-r', 'shift_jis', 'euc-kr', 'gb18030', 'big5'];

const lines = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);

/** The control of a key, and how its value is read: `null` takes the setting away. */
function control({ key, kind, example }, value) {
  const common = { name: key, id: `setting-${key}` };
  if (kind === 'true or false') {
    const box = h('input', { type: 'checkbox', ...common, checked: Boolean(value) });
    return { element: h('label', { class: 'toggle' }, box, h('span', {}, label(key))), read: () => box.checked || null };
  }
  if (kind.startsWith('list')) {
    const area = h('textarea', { ...common, rows: '3', maxlength: '8000', spellcheck: 'false' });
    area.value = (value ?? []).join('\n');
    return { element: field(key, area), read: () => { const found = lines(area.value); return found.length ? found : null; } };
  }
  const isNumber = kind === 'number' || kind === 'whole number';
  const input = h('input', { type: isNumber ? 'number' : 'text', ...common, ...(isNumber ? { step: '0.5', min: '-40', max: '40' } : {}), maxlength: '500', placeholder: example.replaceAll('"', ''), list: key === 'charset' ? 'charsets' : undefined, autocomplete: 'off' });
  input.value = value ?? '';
  return { element: field(key, input), read: () => (input.value.trim() === '' ? null : isNumber ? Number(input.value) : input.value.trim()) };
}

const field = (key, element) => h('label', { class: 'field' }, label(key), element);

function draw(id, { settings, edited, keys }, reload) {
  const known = new Map(keys.map((each) => [each.key, each]));
  const controls = new Map();
  const part = ([title, wanted]) => section(title, h('div', { class: 'form one' }, wanted.filter((key) => known.has(key)).map((key) => {
    const made = control(known.get(key), settings[key]);
    controls.set(key, { ...made, before: JSON.stringify(made.read()) });
    return h('div', { class: 'stack' }, made.element, h('p', { class: 'hint' }, known.get(key).help.replace(/`|\[|\]\([^)]*\)/g, ''), edited.includes(key) ? h('b', {}, ' Changed here.') : null));
  })));
  const save = async (event) => {
    event.preventDefault();
    const change = {};
    for (const [key, { read, before }] of controls) { const value = read(); if (JSON.stringify(value) !== before) change[key] = value; }
    if (!Object.keys(change).length) return toast('Nothing was changed.');
    try {
      await api.put(`stations/${seg(id)}/settings`, change);
      toast('The station is changed.', { kind: 'success' });
      reload();
    } catch (error) { failed(error); }
  };
  const revert = async () => {
    try {
      await api.delete(`stations/${seg(id)}/settings`);
      toast('The station is again what its file says.');
      reload();
    } catch (error) { failed(error); }
  };
  return h('form', { class: 'stack station-settings', onSubmit: save }, groups.map(part), h('datalist', { id: 'charsets' }, charsets.map((name) => h('option', { value: name }))),
    h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'pill primary' }, 'Save'), edited.length ? h('button', { type: 'button', class: 'pill outline', onClick: revert }, 'Take all changes back') : null, link(path(`/station/${seg(id)}`), 'Back to the station', 'pill outline')));
}

export function screen({ parameters: [id] }) {
  const box = screenBox('Station settings');
  const content = box.appendChild(h('div', {}));
  const reload = () => {
    fill(content, () => api.get(`stations/${seg(id)}/settings`), (found) => {
      box.querySelector('h1').textContent = found.station.name;
      document.title = `${found.station.name}: settings · aircheck`;
      return [h('p', { class: 'muted' }, 'Settings of this station. Its file is not changed; recordings and listeners always get the original.'), draw(id, found, reload)];
    });
  };
  reload();
  return box;
}
