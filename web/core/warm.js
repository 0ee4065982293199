// Stations that are about to be played: the service connects them while a pointer rests on their row or a finger comes down, and
// for a moment the first favourites of a screen that is opened, so that play sounds at once. Nothing depends on it; a refusal is
// nobody's business.
import { api, seg } from './api.js';
import { isGuest } from './role.js';
import { isFavourite } from './actions.js';
import { watch } from './store.js';

/** A pointer that only passes asks for nothing; milliseconds. */
const dwell = 70;
/** What was asked for so long ago is asked for again; shorter than the service holds it. Milliseconds. */
const again = 10_000;

/** So many favourites of a screen may be what it was opened for. */
const mostLikely = 3;

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

/** The first favourites that a screen has shown. */
let likely = [];
watch('route', () => { likely = []; });

/** A station is on the screen now. */
export function drawn({ id, favourite = isFavourite(id) }) {
  if (!favourite || likely.length === mostLikely || likely.includes(id)) return;
  likely.push(id);
  if (!document.hidden) warm({ id });
}
document.addEventListener('visibilitychange', () => { if (!document.hidden) for (const id of likely) warm({ id }); });

/** What stands for a station, and which one; looked up from the page's own listeners, because long lists have many rows. */
const marked = new WeakMap();

/** Asks for the station of an element, as `of` gives it, once somebody seems to mean it. Gives the element back. */
export function warmOn(element, of) {
  marked.set(element, of);
  return element;
}

let timer = 0;
let meant = null;

function means(event, wait) {
  let element = event.target;
  while (element && !marked.has(element)) element = element.parentElement;
  if (wait && element === meant) return;
  clearTimeout(timer);
  meant = element;
  if (!element) return;
  if (wait) timer = setTimeout(() => warm(marked.get(element)()), wait); else warm(marked.get(element)());
}

document.addEventListener('pointerover', (event) => means(event, dwell), { passive: true });
document.addEventListener('focusin', (event) => means(event, dwell));
document.addEventListener('pointerdown', (event) => means(event, 0), { passive: true });
