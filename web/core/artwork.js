// Where pictures come from: always the service, which fetches, checks and keeps them; never the station's own address.
import { seg } from './api.js';

/** The picture of a station, or null where it has none. */
export function artworkOf(station) {
  return station?.logo ? `/api/v1/stations/${seg(station.id)}/artwork` : null;
}

/** The picture of what airs, or null. */
export function artworkNow(station, mark) {
  return mark?.artwork ? `/api/v1/stations/${seg(station.id)}/artwork?now=${encodeURIComponent(mark.since)}` : null;
}

/**
 * The colour that rules a picture, by counting its vivid pixels; null for a grey one, or one that cannot be read.
 * Pictures are same-origin, so the canvas may be read.
 */
export function dominantColour(image) {
  const size = 24;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  try {
    context.drawImage(image, 0, 0, size, size);
    const { data } = context.getImageData(0, 0, size, size);
    const bins = new Map();
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] < 128) continue;
      const [hue, saturation, light] = toHSL(data[at], data[at + 1], data[at + 2]);
      if (light < 0.12 || light > 0.95 || saturation < 0.18) continue;
      const key = Math.floor(hue / 20);
      const bin = bins.get(key) ?? { weight: 0, red: 0, green: 0, blue: 0 };
      const weight = saturation * (1 - Math.abs(light - 0.5));
      bins.set(key, { weight: bin.weight + weight, red: bin.red + data[at] * weight, green: bin.green + data[at + 1] * weight, blue: bin.blue + data[at + 2] * weight });
    }
    const best = [...bins.values()].sort((a, b) => b.weight - a.weight)[0];
    return best && best.weight > 4 ? [best.red, best.green, best.blue].map((sum) => Math.round(sum / best.weight)) : null;
  } catch { return null; }
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

/** The colour, darkened until white words on it have 4.5:1. */
export function darkened(colour) {
  let [hue, saturation, light] = toHSL(...colour);
  for (let tries = 0; tries < 60 && contrast(fromHSL(hue, saturation, light), [255, 255, 255]) < 4.5; tries += 1) light *= 0.95;
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
