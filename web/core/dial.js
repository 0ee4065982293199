// The smart dial: a personal station that tunes real live ones. The service knows what fits and why; with the sound here
// this page tunes them, and moves on only when a track has ended, never within one.
import { api, seg } from './api.js';
import { get, set, watch } from './store.js';
import { player, isSounding, isStill } from './player.js';
import { toast, failed } from './actions.js';

/** The dial that plays: `{id, name, variety, why}`; null where none does. */
const playing = () => get('dial') ?? null;

async function choices(id) {
  return (await api.get(`dials/${seg(id)}/choices`)).choices;
}

/** The stations of choices, as next and previous walk them. */
const stationsOf = (found) => Promise.all(found.slice(0, 20).map(({ station }) => api.get(`stations/${seg(station.id)}`).catch(() => station)));

/** Tunes the best choice here; the others are what next and previous walk. Null where somebody chose something else meanwhile. */
async function tuneHere(dial) {
  const before = get('player');
  const found = await choices(dial.id);
  if (!found.length) throw new Error('No station fits this dial now. Give it more variety.');
  const stations = await stationsOf(found);
  if (!isStill(before)) return null;
  player.tune(stations[0], { name: dial.name, stations });
  return found[0];
}

export const dials = {
  all: () => api.get('dials').then((answer) => answer.dials),

  /** Makes a dial from `artist`, `artist` and `title`, `genre` or `stations`, and plays it. */
  async make(seed, name) {
    const made = await api.post('dials', { name, ...seed });
    await dials.play(made);
    return made;
  },

  async play(dial) {
    const choice = get('player').where === 'there' ? await api.post(`dials/${seg(dial.id)}/play`) : await tuneHere(dial);
    if (!choice) return;
    set('dial', { ...dial, station: choice.station.id, why: choice.why });
    toast(`${dial.name}: ${choice.why}`);
  },

  /** Lets it look further. */
  async addVariety() {
    const dial = playing();
    if (!dial) return;
    try {
      const changed = await api.put(`dials/${seg(dial.id)}/variety`, { value: Math.min(3, dial.variety + 1) });
      set('dial', { ...dial, ...changed });
      if (get('player').where === 'here') player.walk({ name: dial.name, stations: await stationsOf(await choices(dial.id)) });
      toast(changed.variety === dial.variety ? `${dial.name} looks as far as it can.` : `${dial.name} looks further now (${changed.variety} of 3).`);
    } catch (error) { failed(error); }
  },

  /** The reason in one sentence, from what is recorded. */
  async why() {
    const dial = playing();
    if (!dial) return;
    try {
      const current = get('player').station?.id;
      const choice = get('player').where === 'there' ? (await api.get('dials/why')).choice : (await choices(dial.id)).find(({ station }) => station.id === current);
      toast(choice?.why ?? dial.why ?? 'Chosen by you.');
    } catch { toast(dial.why ?? 'Chosen by you.'); }
  },

  address: (dial) => `dials/${seg(dial.id)}`,
};

/** A track has ended: now the dial may move on, if something fits better than what comes. */
let track = '';
watch('heard', async (mark) => {
  const dial = playing();
  const before = get('player');
  const { where, station } = before ?? {};
  const now = mark ? `${mark.station}\n${mark.since}` : '';
  const isNext = track && now && now !== track && mark.station === track.split('\n')[0];
  track = now;
  if (!dial || where === 'there' || !isNext || !isSounding()) return;
  try {
    const found = await choices(dial.id);
    if (!isStill(before)) return;
    const mine = found.find((choice) => choice.station.id === station?.id);
    if (!found.length || found[0].station.id === station?.id || (mine && mine.score >= found[0].score)) return;
    await dials.play(dial);
  } catch { /* it stays where it is */ }
});

// Whoever tunes something else has left the dial.
watch('player', (state) => {
  const dial = playing();
  if (dial && (state.kind !== 'live' || (state.listName !== dial.name && state.where === 'here'))) set('dial', null);
});
