// Stations that are about to be played: the service connects them while a pointer rests on their row or a finger comes down, so
// that play sounds at once. Nothing depends on it; a refusal is nobody's business.
import { api, seg } from './api.js';
import { isGuest } from './role.js';

/** A pointer that only passes asks for nothing; milliseconds. */
const dwell = 70;
/** What was asked for so long ago is asked for again; shorter than the service holds it. Milliseconds. */
const again = 10_000;

const asked = new Map();

/** Asks the service to connect a station now. */
export function warm(station) {
  if (!station || isGuest() || navigator.connection?.saveData) return;
  const now = performance.now();
  if (now - (asked.get(station.id) ?? -Infinity) < again) return;
  for (const [id, at] of asked) if (now - at >= again) asked.delete(id);
  asked.set(station.id, now);
  api.hint('POST', `stations/${seg(station.id)}/warm`);
}

/** Asks for the station of an element, as `of` gives it, once somebody seems to mean it. Gives the element back. */
export function warmOn(element, of) {
  let timer = null;
  const end = () => clearTimeout(timer);
  const begin = () => { end(); timer = setTimeout(() => warm(of()), dwell); };
  element.addEventListener('pointerenter', begin);
  element.addEventListener('pointerleave', end);
  element.addEventListener('focusin', begin);
  element.addEventListener('focusout', end);
  element.addEventListener('pointerdown', () => { end(); warm(of()); });
  return element;
}
