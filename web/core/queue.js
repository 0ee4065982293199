// Up Next: one queue for the house, kept at the service.
import { api } from './api.js';
import { get, set } from './store.js';
import { on } from './events.js';
import { player, isStill } from './player.js';
import { all, isPlayable } from './recordings.js';
import { toast, failed } from './actions.js';
import { may } from './role.js';

const ids = () => get('queue') ?? [];

/** How often the queue became another: what is answered after that is older. */
let changes = 0;

function becomes(next) {
  changes += 1;
  set('queue', next);
}

async function put(next) {
  const before = ids();
  becomes(next);
  const mine = changes;
  const answer = await api.put('queue', { recordings: next }).catch((error) => { failed(error); return { recordings: before }; });
  // The service leaves out what is not there any more.
  if (mine === changes) becomes(answer.recordings);
}

export const queue = {
  load: () => api.peek('queue').then(({ recordings }) => set('queue', recordings), () => set('queue', [])),
  has: (id) => ids().includes(id),
  next: (recording) => { const before = ids(); put([recording.id, ...before.filter((id) => id !== recording.id)]); toast('Plays next.', { undo: () => put(before) }); },
  last: (recording) => { const before = ids(); put([...before.filter((id) => id !== recording.id), recording.id]); toast('Plays last.', { undo: () => put(before) }); },
  remove: (id) => { const before = ids(); put(before.filter((each) => each !== id)); toast('Out of the queue.', { undo: () => put(before) }); },
  /** Moves one to the place of another: before it upwards, behind it downwards. The queue may hold more than is shown. */
  move(id, other) {
    const next = [...ids()];
    const [from, to] = [next.indexOf(id), next.indexOf(other)];
    if (from < 0 || to < 0) return;
    next.splice(to, 0, next.splice(from, 1)[0]);
    put(next);
  },
  clear: () => { const before = ids(); put([]); toast('The queue is empty.', { undo: () => put(before) }); },
  shuffle() {
    const next = [...ids()];
    for (let at = next.length - 1; at > 0; at -= 1) {
      const other = crypto.getRandomValues(new Uint32Array(1))[0] % (at + 1);
      [next[at], next[other]] = [next[other], next[at]];
    }
    put(next);
  },
  /** Plays what is first, and takes it out; false where there is nothing. Whoever chooses something else meanwhile has chosen. */
  async playNext() {
    const before = get('player');
    const rows = await all();
    if (!isStill(before)) return true;
    const id = ids().find((each) => { const row = rows.find((one) => one.id === each); return row && isPlayable(row); });
    if (!id) return false;
    const rest = ids().filter((each) => each !== id);
    const begun = player.listen(rows.find((row) => row.id === id), null, true);
    // Whoever may only listen goes through it for themselves.
    if (may('operator')) await put(rest); else becomes(rest);
    await begun;
    return true;
  },
};

on('queue', ({ recordings }) => becomes(recordings));
on('again', () => queue.load());
queue.load();
