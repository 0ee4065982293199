// The colour of a show, measured in its picture and kept at the service, so that it is measured once.
import { api, seg } from './api.js';
import { get, set } from './store.js';
import { artworkOf, stationOf, comes, dominantColour, tintOf, luminance } from './artwork.js';
import { showKey, isTalk } from './recordings.js';

let loading = null;
const load = () => (loading ??= api.get('tints').then(({ tints }) => set('tints', new Map(Object.entries(tints))), () => set('tints', new Map())));
const hex = (colour) => '#' + colour.map((part) => part.toString(16).padStart(2, '0')).join('');
const parts = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

/** Shows whose pictures were looked at, or are. */
const measured = new Map();

async function measure(key, station) {
  const address = artworkOf(station);
  if (!address) return null;
  const image = new Image();
  // Where it has not come yet, whoever paints next asks again.
  if (!(await comes(address))) { measured.delete(key); return null; }
  image.src = address;
  try { await image.decode(); } catch { return null; }
  const tint = tintOf(dominantColour(image));
  if (!tint) return null;
  get('tints').set(key, hex(tint));
  api.tell('PUT', `tints/${seg(key)}`, { colour: hex(tint) });
  return hex(tint);
}

/** The tint of a recording's show as `#rrggbb`; null for recorded grey. Talk has the orange of the reading room. */
export async function tintFor(recording) {
  const [station] = await Promise.all([stationOf(recording.station), load()]);
  if (isTalk({ ...recording, genre: recording.genre ?? station?.genre })) return getComputedStyle(document.documentElement).getPropertyValue('--orange').trim();
  const key = showKey(recording);
  const known = get('tints').get(key);
  if (known) return known;
  if (!measured.has(key)) measured.set(key, measure(key, station));
  return measured.get(key);
}

/** What an element is painted for: pictures may come in another order than they were asked for. */
const meant = new WeakMap();

/** Paints an element in a recording's colour; recorded grey until it is known, and for null. */
export async function paint(element, recording) {
  meant.set(element, recording);
  const tint = recording ? await tintFor(recording) : null;
  if (meant.get(element) !== recording) return;
  if (tint) {
    element.style.setProperty('--tint', tint);
    element.style.setProperty('--on-tint', luminance(parts(tint)) > 0.18 ? '#120a0e' : '#ffffff');
  } else {
    element.style.removeProperty('--tint');
    element.style.removeProperty('--on-tint');
  }
}

/** Keeps an element in the colour of the recording that plays, and of nothing else. */
export function paintPlaying(part) {
  let id = null;
  part.follows('player', ({ kind, recording }) => {
    const now = kind === 'recorded' ? recording : null;
    if ((now?.id ?? null) === id) return;
    id = now?.id ?? null;
    paint(part, now);
  });
}
