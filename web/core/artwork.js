// Where pictures come from: always the service, which fetches, checks and keeps them; never the station's own address.
import { api, seg } from './api.js';
import { get } from './store.js';
import { on } from './events.js';
import { isGuest } from './role.js';

/** The picture of a station, or null where it has none. */
export function artworkOf(station) {
  return station?.logo ? `/api/v1/stations/${seg(station.id)}/artwork` : null;
}

const mentioned = new Map();
on('stations', () => mentioned.clear());

/** A station as it is known, where it is only mentioned by id and name as in a recording; looked up once. Null where it is gone, and for guests, who ask nothing. */
export async function stationOf({ id }) {
  const known = get('stations')?.get(id);
  if (known || isGuest()) return known ?? null;
  if (!mentioned.has(id)) mentioned.set(id, api.peek(`stations/${seg(id)}`).catch((error) => { if (error.status !== 404) mentioned.delete(id); return null; }));
  return mentioned.get(id);
}

/** The picture of a station that may only be mentioned, or null. */
export const pictureOf = async (station) => artworkOf(station) ?? (station?.id && !station.urls ? artworkOf(await stationOf(station)) : null);

/** How often a picture is asked for that has not had its turn at the service: in a long list each waits for those before it. */
const turns = 10;

/** Whether there is a picture at an address, once the service has fetched it; `isWanted` says whether anybody still waits. */
export async function comes(address, isWanted = () => true) {
  for (let turn = 0; turn < turns; turn += 1) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return true;
    if (answer?.status !== 503) return false;
    const seconds = Number(answer.headers.get('Retry-After')) || 2;
    await new Promise((done) => { setTimeout(done, seconds * 1000 * (1 + Math.random() / 2)); });
    if (!isWanted()) return false;
  }
  return false;
}

/** The picture of what airs, or null. */
export function artworkNow(station, mark) {
  return mark?.artwork ? `/api/v1/stations/${seg(station.id)}/artwork?now=${encodeURIComponent(mark.since)}` : null;
}

/** The pixels of a picture as `[red, green, blue]`, few of them; none where it cannot be read. Pictures are same-origin. */
function pixels(image) {
  const size = 24;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  try {
    context.drawImage(image, 0, 0, size, size);
    const { data } = context.getImageData(0, 0, size, size);
    return Array.from({ length: size * size }, (_, index) => [...data.subarray(index * 4, index * 4 + 4)]).filter(([, , , opacity]) => opacity >= 128).map((each) => each.slice(0, 3));
  } catch { return []; }
}

const mean = (colours, weights, total) => [0, 1, 2].map((part) => Math.round(colours.reduce((sum, colour, index) => sum + colour[part] * weights[index], 0) / total));

/** The colour that rules a picture, by counting its vivid pixels; null for a grey one, or one that cannot be read. */
export function dominantColour(image) {
  const bins = new Map();
  for (const colour of pixels(image)) {
    const [hue, saturation, light] = toHSL(...colour);
    if (light < 0.12 || light > 0.95 || saturation < 0.18) continue;
    const key = Math.floor(hue / 20);
    const bin = bins.get(key) ?? { total: 0, colours: [], weights: [] };
    const weight = saturation * (1 - Math.abs(light - 0.5));
    bin.total += weight;
    bin.colours.push(colour);
    bin.weights.push(weight);
    bins.set(key, bin);
  }
  const best = [...bins.values()].sort((a, b) => b.total - a.total)[0];
  return best && best.total > 4 ? mean(best.colours, best.weights, best.total) : null;
}

/** The ground of a player out of a picture: its ruling colour, a grey one's grey; such that these words on it have 4.5:1. */
export function groundOf(image, words) {
  const colours = pixels(image);
  if (!colours.length) return null;
  return readable(dominantColour(image) ?? mean(colours, colours.map(() => 1), colours.length), words);
}

export function toHSL(red, green, blue) {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const [top, bottom] = [Math.max(r, g, b), Math.min(r, g, b)];
  const light = (top + bottom) / 2;
  if (top === bottom) return [0, 0, light];
  const spread = top - bottom;
  const saturation = light > 0.5 ? spread / (2 - top - bottom) : spread / (top + bottom);
  const sector = top === r ? (g - b) / spread + (g < b ? 6 : 0) : top === g ? (b - r) / spread + 2 : (r - g) / spread + 4;
  return [sector * 60, saturation, light];
}

export function fromHSL(hue, saturation, light) {
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

const channel = (value) => { const part = value / 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; };
export const luminance = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
export const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((one, two) => two - one); return (x + 0.05) / (y + 0.05); };

/** The colour, darkened until words of another on it have 4.5:1; lightened for dark words. */
export function readable(colour, words = [255, 255, 255]) {
  let [hue, saturation, light] = toHSL(...colour);
  const isLight = luminance(words) > 0.18;
  for (let tries = 0; tries < 90 && contrast(fromHSL(hue, saturation, light), words) < 4.5; tries += 1) light = isLight ? light * 0.95 : 1 - (1 - light) * 0.95;
  return fromHSL(hue, saturation, light);
}

/** Coral's hue: what is recorded keeps away from it. */
const coralHue = toHSL(0xf2, 0x3a, 0x2f)[0];

/** The tint of a show: kept away from coral, and recorded grey where it would not be seen on the canvas. */
export function tintOf(colour) {
  if (!colour) return null;
  let [hue, saturation, light] = toHSL(...colour);
  const distance = ((hue - coralHue + 540) % 360) - 180;
  if (Math.abs(distance) < 20) hue = (coralHue + (distance < 0 ? -20 : 20) + 360) % 360;
  light = Math.min(Math.max(light, 0.5), 0.72);
  const tint = fromHSL(hue, saturation, light);
  return contrast(tint, [0x12, 0x0a, 0x0e]) >= 3 ? tint : null;
}

export const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;
