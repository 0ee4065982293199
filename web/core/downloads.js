// Fetching recordings to this device, with how far that is; it can be called off. Everybody is told in `downloads`: by id how much
// is there, 0 to 1, and 1 for a moment after the end.
import { set } from './store.js';
import { h } from './dom.js';
import { audioOf, title } from './recordings.js';
import { loadDetail } from './chapters.js';
import { mark, toast, failed } from './actions.js';
import { may } from './role.js';

/** What is larger is left to the browser, which writes it to the disk at once and shows its own progress; bytes. */
const most = 2 ** 30;
/** Bytes that are put together: the browser keeps such parts where it likes, and need not in memory. */
const partSize = 2 ** 23;
/** How long the end is shown, in milliseconds. */
const shown = 1500;

const running = new Map();
const parts = new Map();

function tell(id, part) {
  if (part === null) parts.delete(id); else parts.set(id, part);
  set('downloads', new Map(parts));
}

/** Calls a download off; nothing of it is left. */
export const cancel = (id) => running.get(id)?.abort();

function save(address, name) {
  const link = h('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

/** The files of a recording with their names; most are one. */
async function filesOf(recording) {
  const detail = await loadDetail(recording.id);
  const files = detail.files?.length > 1 ? detail.files : [{ name: recording.path?.split('/').pop() ?? `${recording.id}.mp3`, bytes: recording.bytes }];
  return files.map((file, index) => ({ name: file.name, bytes: file.bytes, address: audioOf(recording, index) }));
}

/** All of a file; `came` is told of each lot of bytes. */
async function fetched(address, signal, came) {
  const answer = await fetch(address, { signal, credentials: 'same-origin' });
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  const reader = answer.body.getReader();
  const whole = [];
  let [lot, size] = [[], 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (value) { lot.push(value); size += value.length; came(value.length); }
    if (size >= partSize || done) { whole.push(new Blob(lot)); [lot, size] = [[], 0]; }
    if (done) return new Blob(whole, { type: answer.headers.get('Content-Type') ?? '' });
  }
}

/** Fetches a recording to this device. */
export async function download(recording) {
  const { id } = recording;
  if (running.has(id)) return;
  const abort = new AbortController();
  running.set(id, abort);
  tell(id, 0);
  try {
    const files = await filesOf(recording);
    const total = files.reduce((sum, file) => sum + (file.bytes || 0), 0);
    if (total > most) {
      for (const file of files) save(file.address, file.name);
      toast('The browser downloads it.');
    } else {
      await fetchAll(id, files, total, abort.signal);
      toast(`${title(recording)} is on this device.`, { kind: 'success' });
    }
    if (may('operator')) mark(recording, { downloaded: true });
    tell(id, 1);
    await new Promise((done) => { setTimeout(done, shown); });
  } catch (error) {
    if (error.name === 'AbortError') toast('The download is called off.'); else failed(error);
  } finally {
    running.delete(id);
    tell(id, null);
  }
}

async function fetchAll(id, files, total, signal) {
  let here = 0;
  let told = 0;
  const came = (bytes) => {
    here += bytes;
    const part = total ? Math.min(0.99, here / total) : 0;
    if (part - told >= 0.01) { told = part; tell(id, part); }
  };
  for (const file of files) {
    const address = URL.createObjectURL(await fetched(file.address, signal, came));
    save(address, file.name);
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }
}
