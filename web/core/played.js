// What somebody says they have heard, or have not, whatever the player thinks of it.
import { mark } from './actions.js';
import { player } from './player.js';

/** Marks a recording played. One that sounds is left first, or its player would tell its place again, and it would be begun. */
export async function markPlayed(recording) {
  await player.finish(recording.id);
  await mark(recording, { finished: true, position: 0 }, 'Marked played.');
}

export const markUnplayed = (recording) => mark(recording, { finished: false, position: 0 }, 'Marked unplayed.');
