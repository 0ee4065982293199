// A personal station: from an artist, a track, a genre or stations. It tunes real live stations and says why.
import { h } from '../core/dom.js';
import { get } from '../core/store.js';
import { api } from '../core/api.js';
import { failed, toast } from '../core/actions.js';

export function sheet({ seed = {} }, close) {
  const heard = get('heard');
  const make = async (body, name) => {
    try { await api.post('dial', { name, ...body }); toast(`Your dial “${name}” is on.`, { kind: 'success' }); close(); } catch (error) { failed(error.status === 404 ? new Error('This service has no smart dial yet.') : error); }
  };
  const station = get('stations')?.get(seed.station);
  const choices = [heard?.artist && [`Like ${heard.artist}`, { artist: heard.artist }], heard?.title && [`Like “${heard.title}”`, { artist: heard.artist, title: heard.title }], station?.genre && [`All ${station.genre.toLowerCase()}`, { genre: station.genre }], ['My favourites', { stations: (get('favourites') ?? []).map((each) => each.id) }]].filter(Boolean);
  return { title: 'Smart dial', content: h('div', { class: 'stack gap' }, h('p', { class: 'muted' }, 'It tunes live stations that play what you like, and never cuts a track short.'), h('div', { class: 'chips wrap' }, choices.map(([name, body]) => h('button', { type: 'button', class: 'chip', onClick: () => make(body, name) }, name)))) };
}
