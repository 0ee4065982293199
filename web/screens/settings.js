// Settings: the sound, this device, other devices, stations, storage, the service.
import { h, iconButton } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { get, set, kept } from '../core/store.js';
import { section, fill, screenBox, emptyState } from '../core/lists.js';
import { bytes, dateAndTime } from '../core/format.js';
import { failed, toast } from '../core/actions.js';
import { sheet as soundSheet } from '../sheets/sound.js';

const roles = { anyone: 'nothing yet', listener: 'listening', viewer: 'listening and looking', operator: 'playing, recording and scheduling', admin: 'everything' };

function device() {
  const box = h('div', { class: 'stack gap' });
  const show = (session) => box.replaceChildren(
    h('p', {}, `This browser may do ${roles[session?.role] ?? 'nothing yet'}.`, session?.device ? ` It is paired as “${session.device}”.` : ''),
    h('div', { class: 'buttons' },
      session?.id ? h('button', { type: 'button', class: 'pill outline', onClick: async () => { await api.delete('session').catch(failed); location.reload(); } }, 'Forget this browser') : h('button', { type: 'button', class: 'pill primary', onClick: () => set('sheet', { name: 'pair' }) }, 'Pair this browser')));
  show(get('session'));
  document.addEventListener('session-changed', () => setTimeout(() => show(get('session')), 50));
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
  if (!list.length) return emptyState('phone', `No ${word} yet`, '');
  return h('ul', { class: 'plain-list' }, list.map((entry) => h('li', {}, h('span', { class: 'stack' }, h('strong', { class: 'one-line', dir: 'auto' }, entry.name), h('small', {}, `${entry.role} · ${dateAndTime(entry.created)}`)),
    iconButton('trash', `Forget ${entry.name}`, async (event) => { const row = event.target.closest('li'); try { await api.delete(`${kind}/${seg(entry.id)}`); row.remove(); toast(`${entry.name} is forgotten.`); } catch (error) { failed(error); } }))));
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

function storage(found) {
  return h('dl', { class: 'facts' }, [['Folder', found.folder], ['Recordings', `${found.recordings} (${bytes(found.bytes)})`], ['Free', bytes(found.free)]].flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text ?? '')]));
}

export function screen() {
  const part = (load, draw) => fill(h('div', {}), load, draw, { rows: 1 });
  return screenBox('Settings',
    section('Where the sound goes', soundSheet().content),
    section('This device', device()),
    section('Paired devices', h('div', { class: 'stack gap' }, offers(), part(() => api.get('sessions').catch((error) => { if (error.status === 403) return { sessions: [] }; throw error; }), ({ sessions }) => entries('sessions', sessions, 'paired devices')))),
    section('Tokens', part(() => api.get('tokens').catch((error) => { if (error.status === 403) return { tokens: [] }; throw error; }), ({ tokens }) => entries('tokens', tokens, 'tokens'))),
    section('Add a station', addStation()),
    section('Storage', part(() => api.get('storage'), storage)),
    section('This page', toggles()),
    section('About', part(() => api.get('status'), about)));
}
