// Songs that this page keeps from their start: which recording is which song.
import { api, seg } from './api.js';
import { on } from './events.js';
import { toast, failed } from './actions.js';
import { airing } from './format.js';
import { may } from './role.js';

const kept = new Map();

/** The song of a recording; nothing where it is something else, or another page's. */
export const songOf = (id) => [...kept.values()].find((each) => each.id === id)?.name;

/** Keeps a song that is heard, once; `song` is its place at the station: `present`, or `previous` where it is over there already. */
export async function keepSong(heard, song) {
  const key = `${heard.station}\n${heard.since}`;
  const name = `“${heard.title || airing(heard)}”`;
  const undo = () => letGo(key);
  if (kept.has(key)) return toast(`${name} is kept already.`, { undo });
  const making = api.post('keep', { station: heard.station, song });
  const mine = { name, making };
  kept.set(key, mine);
  try {
    mine.id = (await making).id;
    if (kept.get(key) === mine) toast(`${name} is kept from its start.`, { kind: 'success', undo });
  } catch (error) { kept.delete(key); failed(error); }
}

// One that was deleted can be kept again.
on('recording-deleted', ({ id }) => { for (const [key, each] of kept) if (each.id === id) kept.delete(key); });

/** Keeps it no longer; whoever may delete has nothing of it left. */
async function letGo(key) {
  const mine = kept.get(key);
  kept.delete(key);
  // It may be on its way still.
  const id = await mine?.making.then((made) => made.id, () => null);
  if (!id) return;
  const address = `recordings/${seg(id)}`;
  // A song that is over was written already.
  await api.post(`${address}/stop`).catch((error) => error.status === 409 || failed(error));
  if (may('admin')) await api.delete(address).catch((error) => error.status === 404 || failed(error));
}
