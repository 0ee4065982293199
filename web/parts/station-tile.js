// A station's picture: its artwork where there is one, else our mark on a warm ground.
import { h, icon } from '../core/dom.js';
import { artworkOf } from '../core/artwork.js';

/** `size` is `small` (a row's logo) or `large` (the player's tile). */
export function stationTile(station, size = 'small') {
  const tile = h('div', { class: `tile ${size}` }, icon('mark'));
  tile.dataset.hue = String([...(station?.id ?? '')].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 6, 0));
  const address = artworkOf(station);
  if (address) {
    const image = h('img', { alt: '', decoding: 'async', loading: size === 'small' ? 'lazy' : 'eager' });
    image.addEventListener('load', () => tile.classList.add('has-art'));
    image.addEventListener('error', () => image.remove());
    image.src = address;
    tile.append(image);
  }
  return tile;
}
