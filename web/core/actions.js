// What a person does to a station or a recording, from wherever it is shown.
import { api, seg } from './api.js';
import { get, set } from './store.js';

/** Says something for a while; `undo` offers to take it back, `gone` is called where nobody did. */
export const toast = (text, { kind = 'plain', remedy = '', undo = null, gone = null } = {}) => set('toast', { text, kind, remedy, undo, gone, at: Date.now() });

/** Says that something is done, and does it once that cannot be taken back any more. `last` does it where the page is left before. */
export function unlessUndone(text, { act, undo, last }) {
  let isOpen = true;
  const first = (job) => () => {
    if (!isOpen) return;
    isOpen = false;
    removeEventListener('pagehide', left);
    job();
  };
  const left = first(() => last());
  addEventListener('pagehide', left);
  toast(text, { undo: first(undo), gone: first(act) });
}

/** What is removed as soon as that cannot be taken back any more: lists leave it out meanwhile. */
const leaving = new Set();
export const stays = (address) => !leaving.has(address);

/** Removes what the service keeps at an address; `draw` shows the list anew. */
export function remove(address, text, draw) {
  const back = () => { leaving.delete(address); draw(); };
  leaving.add(address);
  draw();
  unlessUndone(text, { act: () => api.delete(address).catch(failed).finally(back), undo: back, last: () => api.deleteLast(address) });
}

export const failed = (error) => toast(error.message ?? String(error), { kind: 'error', remedy: error.remedy });

export const isFavourite = (id) => get('stations')?.get(id)?.favourite ?? get('favourites')?.some((station) => station.id === id) ?? false;

/** Remembers stations that an answer brought. */
export function remember(stations) {
  const known = get('stations');
  let isNew = false;
  for (const station of stations) {
    const before = known.get(station.id);
    if (!before || before.favourite !== station.favourite || before.preset !== station.preset) isNew = true;
    known.set(station.id, station);
  }
  if (isNew) set('stations', known);
  return stations;
}

export async function setFavourite(station, value) {
  const change = (isOn) => {
    const known = get('stations');
    known.set(station.id, { ...(known.get(station.id) ?? station), favourite: isOn });
    set('stations', known);
  };
  change(value);
  try {
    await api.put(`stations/${seg(station.id)}/favourite`, { value });
    toast(value ? `${station.name} is a favourite.` : `${station.name} is no favourite any more.`, { undo: () => setFavourite(station, !value) });
  } catch (error) { change(!value); failed(error); }
}

export async function record(station, more = {}) {
  try {
    const made = await api.post('recordings', { station: station.id, ...more });
    toast(`Recording ${station.name}.`, { kind: 'success', undo: () => stopRecording(made.id) });
    return made;
  } catch (error) { failed(error); return null; }
}

export async function stopRecording(id) {
  try { return await api.post(`recordings/${seg(id)}/stop`); } catch (error) { failed(error); return null; }
}

/** Marks of a recording: `starred`, `archived`, `finished`, `position`. */
export async function mark(recording, change, text = '') {
  const before = recording.listening ?? {};
  const undo = Object.fromEntries(Object.keys(change).map((key) => [key, before[key] ?? (key === 'position' ? 0 : false)]));
  try {
    const listening = await api.put(`recordings/${seg(recording.id)}/listening`, change);
    recording.listening = listening;
    set('marked', { id: recording.id, listening });
    if (text) toast(text, { undo: () => mark(recording, undo) });
  } catch (error) { failed(error); }
}

export async function share(title, address) {
  if (navigator.share) {
    try { await navigator.share({ title, url: address }); } catch { /* changed their mind */ }
    return;
  }
  try {
    await navigator.clipboard.writeText(address);
    toast('The link is in the clipboard.', { kind: 'success' });
  } catch { set('sheet', { name: 'link', title, address }); }
}
