// Settings: the sound, this device, other devices, stations, storage, the service.
import { h, iconButton, renew, whenLeft } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { get, set, kept, watch } from '../core/store.js';
import { section, fill, screenBox, emptyState } from '../core/lists.js';
import { bytes, dateAndTime, length } from '../core/format.js';
import { path } from '../core/router.js';
import { failed, toast } from '../core/actions.js';
import { sheet as soundSheet } from '../sheets/sound.js';

const roles = { anyone: 'nothing yet', listener: 'listening', viewer: 'listening and looking', operator: 'playing, recording and scheduling', admin: 'everything' };

function device() {
  const box = h('div', { class: 'stack gap' });
  const show = (session) => renew(box,
    h('p', {}, `This browser may do ${roles[session?.role] ?? 'nothing yet'}.`, session?.device ? ` It is paired as “${session.device}”.` : ''),
    h('div', { class: 'buttons' },
      session?.id ? h('button', { type: 'button', class: 'pill outline', onClick: async () => { await api.delete('session').catch(failed); document.dispatchEvent(new CustomEvent('session-changed')); location.reload(); } }, 'Forget this browser') : h('button', { type: 'button', class: 'pill primary', onClick: () => set('sheet', { name: 'pair' }) }, 'Pair this browser')));
  show(get('session'));
  whenLeft(box, watch('session', show, { now: false }));
  return box;
}

function offers() {
  const shown = h('p', { role: 'status', class: 'code tabular' });
  const make = async (role) => {
    try {
      const offer = await api.post('pairing', { role });
      shown.replaceChildren(h('strong', {}, offer.code), h('span', {}, ` for ${role}, five minutes, once`));
    } catch (error) { failed(error); }
  };
  return h('div', { class: 'stack gap' }, h('div', { class: 'buttons' }, ['operator', 'viewer', 'admin'].map((role) => h('button', { type: 'button', class: 'pill outline', onClick: () => make(role) }, `Code for ${role}`))), shown);
}

function entries(kind, list, word) {
  if (!list) return h('p', { class: 'hint' }, 'Only an admin sees these.');
  if (!list.length) return emptyState('phone', `No ${word} yet`, '');
  return h('ul', { class: 'plain-list' }, list.map((entry) => h('li', { data: { key: entry.id } }, h('span', { class: 'stack' }, h('strong', { class: 'one-line', dir: 'auto' }, entry.name), h('small', {}, `${entry.role} · ${dateAndTime(entry.created)}`)),
    iconButton('trash', `Forget ${entry.name}`, async (event) => { const row = event.target.closest('li'); try { await api.delete(`${kind}/${seg(entry.id)}`); renew(row.parentElement, ...[...row.parentElement.children].filter((each) => each !== row)); toast(`${entry.name} is forgotten.`); } catch (error) { failed(error); } }))));
}

/** Makes a token, which is said this once, and lists those that are there. */
function tokens() {
  const name = h('input', { type: 'text', name: 'token', required: true, maxlength: '100', placeholder: 'what it is for' });
  const role = h('select', { name: 'role' }, ['listener', 'viewer', 'operator', 'admin'].map((each) => h('option', { value: each }, each)));
  const said = h('p', { role: 'status', class: 'code' });
  const list = h('div', {});
  const reload = () => fill(list, () => forAdmins('tokens'), ({ tokens: found }) => entries('tokens', found, 'tokens'), { rows: 1 });
  const make = async (event) => {
    event.preventDefault();
    try {
      const made = await api.post('tokens', { name: name.value, role: role.value });
      said.replaceChildren(h('code', { class: 'token' }, made.token), h('span', {}, ' is shown this once. Apps send it as their password, or as a bearer token.'));
      name.value = '';
      reload();
    } catch (error) { failed(error); }
  };
  reload();
  return h('div', { class: 'stack gap' }, list, h('form', { class: 'form', onSubmit: make }, h('label', { class: 'field' }, 'Name of the token', name), h('label', { class: 'field' }, 'It allows', role), h('button', { type: 'submit', class: 'pill outline' }, 'Make token')), said);
}

/** A list that only an admin may see: nothing for everybody else, and nobody is asked to pair for it. */
const forAdmins = (kind) => api.peek(kind).catch((error) => { if (error.status === 403 || error.status === 401) return { [kind]: null }; throw error; });

/** Who on the network may listen, and whether that takes a token. */
function sharing(state) {
  const box = h('div', { class: 'stack gap' });
  const show = (now) => {
    const guests = h('input', { type: 'checkbox', name: 'guests', checked: now.guests });
    guests.addEventListener('change', async () => {
      try { show(await api.put('sharing', { guests: guests.checked })); } catch (error) { guests.checked = !guests.checked; failed(error); }
    });
    const reach = now.network
      ? `Devices on the network reach the stations at http://${now.machine ?? 'this machine'}:${now.port}/.`
      : 'Only this machine reaches the stations. To open them to the network, set server.listen_bind = "0.0.0.0" in aircheck.toml, or start with --listen 0.0.0.0:2472 --open.';
    renew(box, ...[h('p', {}, reach), h('label', { class: 'toggle' }, guests, h('span', {}, 'Guests may listen without a token')),
      h('p', { class: 'hint' }, 'Guests hear live stations, and have a page of them with what is on; everything else stays closed to them.', now.decided ? ' Decided here; the settings say otherwise or the same.' : ''),
      now.decided ? h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'pill outline', onClick: async () => { try { show(await api.put('sharing', { guests: null })); } catch (error) { failed(error); } } }, `As the settings say (${now.setting ? 'open' : 'closed'})`)) : null].filter(Boolean));
  };
  show(state);
  return box;
}

function coming({ coming: found }) {
  const next = found[0];
  return h('div', { class: 'stack gap' }, h('p', {}, next ? `${next.name ?? next.station.name} is next, ${dateAndTime(next.start)}. ${found.length} in the next two weeks.` : 'Nothing in the next two weeks.'), h('div', { class: 'buttons' }, h('a', { class: 'pill outline', href: path('/recordings/schedules') }, 'Schedules')));
}

function addStation() {
  const url = h('input', { type: 'url', name: 'url', required: true, placeholder: 'https://…', maxlength: '2000' });
  const name = h('input', { type: 'text', name: 'name', maxlength: '200' });
  return h('form', { class: 'form', onSubmit: async (event) => {
    event.preventDefault();
    try {
      const station = await api.post('stations', { urls: [url.value], ...(name.value ? { name: name.value } : {}) });
      toast(`${station.name} is added.`, { kind: 'success' });
      url.value = name.value = '';
    } catch (error) { failed(error); }
  } }, h('label', { class: 'field' }, 'Address of a stream or playlist', url), h('label', { class: 'field' }, 'Name', name), h('button', { type: 'submit', class: 'pill primary' }, 'Add station'));
}

function toggles() {
  const check = (name, text, fallback, changed) => {
    const input = h('input', { type: 'checkbox', checked: kept.get(name, fallback) });
    input.addEventListener('change', () => { kept.set(name, input.checked); changed?.(input.checked); });
    return h('label', { class: 'toggle' }, input, h('span', {}, text));
  };
  const light = h('input', { type: 'checkbox', checked: kept.get('theme', 'dark') === 'system' });
  light.addEventListener('change', () => { kept.set('theme', light.checked ? 'system' : 'dark'); document.documentElement.dataset.theme = kept.get('theme', 'dark'); });
  return h('div', { class: 'stack' }, check('letters', 'Single letters are keys (n, p, f, r, /)', true), h('label', { class: 'toggle' }, light, h('span', {}, 'Follow the system where it is set to light')));
}

function about(status) {
  return h('dl', { class: 'facts' }, [['Version', status.version], ['Up since', dateAndTime(status.started)], ['Stations', String(status.catalogue.stations)], ['Listeners', String(status.listeners)], ['Mounts', status.listen]].flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]));
}

/** What is deleted by itself, and when: the rules of the settings, in words. */
function retention(rules) {
  const logger = [rules.keep_seconds ? `older than ${length(rules.keep_seconds)}` : null, rules.keep_files ? `beyond ${rules.keep_files} files a station` : null, rules.keep_bytes ? `beyond ${bytes(rules.keep_bytes)} a station` : null, rules.keep_free ? `the oldest, with less than ${bytes(rules.keep_free)} free` : null].filter(Boolean);
  return [
    ['New recordings', `need ${bytes(rules.free_for_new)} free; all pause below ${bytes(rules.free_for_all)}`],
    ['Logger', rules.logger.length ? `${rules.logger.join(', ')}; deleted: ${logger.join('; ') || 'nothing'}` : 'no station is logged'],
    ['Past', `${length(rules.window_seconds)} of what plays, ${bytes(rules.window_bytes)} at most`],
    ['Your recordings', 'are never deleted by themselves'],
  ];
}

function storage(found) {
  return h('dl', { class: 'facts' }, [['Folder', found.folder], ['Recordings', `${found.recordings} (${bytes(found.bytes)})`], ['Free', bytes(found.free)], ...(found.retention ? retention(found.retention) : [])].flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text ?? '')]));
}

/** A part that is there for those who may change something. */
function forOperator(element) {
  element.dataset.needs = 'operator';
  return element;
}

export function screen() {
  const part = (load, draw) => fill(h('div', {}), load, draw, { rows: 1 });
  return screenBox('Settings',
    section('Where the sound goes', soundSheet().content),
    section('This device', device()),
    ...[section('Paired devices', h('div', { class: 'stack gap' }, offers(), part(() => forAdmins('sessions'), ({ sessions }) => entries('sessions', sessions, 'paired devices')))),
    section('Tokens', tokens()),
    section('Sharing', part(() => api.get('sharing'), sharing))].map(forOperator),
    section('Schedules', part(() => api.get('schedules/next'), coming)),
    forOperator(section('Add a station', addStation())),
    section('Storage and retention', part(() => api.get('storage'), storage)),
    section('This page', toggles()),
    section('About', part(() => api.get('status'), about)));
}
