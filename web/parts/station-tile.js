// A station's picture: its artwork where there is one, else our mark on a warm ground.
import { h, icon } from '../core/dom.js';
import { artworkOf, pictureOf, comes } from '../core/artwork.js';

async function again(image, address) {
  if (!(await comes(address, () => image.isConnected))) return image.remove();
  image.addEventListener('error', () => image.remove(), { once: true });
  image.src = address;
}

/** `size` is `small` (a row's logo) or `large` (the player's tile). */
export function stationTile(station, size = 'small') {
  const tile = h('div', { class: `tile ${size}` }, icon('mark'));
  tile.dataset.hue = String([...(station?.id ?? '')].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 6, 0));
  const address = artworkOf(station);
  if (address) show(tile, address, size); else pictureOf(station).then((found) => found && show(tile, found, size));
  return tile;
}

function show(tile, address, size) {
  const image = h('img', { alt: '', decoding: 'async', loading: size === 'small' ? 'lazy' : 'eager' });
  image.addEventListener('load', () => tile.classList.add('has-art'));
  image.addEventListener('error', () => again(image, address), { once: true });
  image.src = address;
  tile.append(image);
}
