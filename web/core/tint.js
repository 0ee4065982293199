// The colour of a show, measured in its picture and kept at the service, so that it is measured once.
import { api, seg } from './api.js';
import { get, set } from './store.js';
import { artworkOf, dominantColour, tintOf, luminance } from './artwork.js';
import { showKey } from './recordings.js';

let loading = null;
const load = () => (loading ??= api.get('tints').then(({ tints }) => set('tints', new Map(Object.entries(tints))), () => set('tints', new Map())));
const hex = (colour) => '#' + colour.map((part) => part.toString(16).padStart(2, '0')).join('');
const parts = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

/** The tint of a recording's show as `#rrggbb`, or null for recorded grey. */
export async function tintFor(recording) {
  await load();
  const key = showKey(recording);
  const known = get('tints').get(key);
  if (known) return known;
  const station = get('stations')?.get(recording.station.id) ?? await api.get(`stations/${seg(recording.station.id)}`).catch(() => null);
  const address = artworkOf(station);
  if (!address) return null;
  const image = new Image();
  image.src = address;
  try { await image.decode(); } catch { return null; }
  const tint = tintOf(dominantColour(image));
  if (!tint) return null;
  get('tints').set(key, hex(tint));
  api.tell('PUT', `tints/${seg(key)}`, { colour: hex(tint) });
  return hex(tint);
}

/** Paints an element in a recording's colour; recorded grey until it is known. */
export async function paint(element, recording) {
  const tint = await tintFor(recording);
  if (tint) {
    element.style.setProperty('--tint', tint);
    element.style.setProperty('--on-tint', luminance(parts(tint)) > 0.18 ? '#120a0e' : '#ffffff');
  } else {
    element.style.removeProperty('--tint');
    element.style.removeProperty('--on-tint');
  }
}
