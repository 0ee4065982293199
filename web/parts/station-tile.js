// A station's picture: its artwork where there is one, else our mark on a warm ground.
import { h, icon } from '../core/dom.js';
import { artworkOf, pictureOf } from '../core/artwork.js';

/** How often a picture is asked for that has not had its turn at the service: in a long list each waits for those before it. */
const turns = 10;

async function again(image, address) {
  for (let turn = 0; turn < turns; turn += 1) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.status !== 503 && !answer?.ok) break;
    if (answer.ok) {
      image.addEventListener('error', () => image.remove(), { once: true });
      image.src = address;
      return;
    }
    const seconds = Number(answer.headers.get('Retry-After')) || 2;
    await new Promise((done) => { setTimeout(done, seconds * 1000 * (1 + Math.random() / 2)); });
    if (!image.isConnected) break;
  }
  image.remove();
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
