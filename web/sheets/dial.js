// Personal stations: those there are, and a new one from an artist, a track, a genre or stations.
import { h, icon, iconButton } from '../core/dom.js';
import { api } from '../core/api.js';
import { get } from '../core/store.js';
import { failed, remove, stays } from '../core/actions.js';
import { fill, emptyState } from '../core/lists.js';
import { dials } from '../core/dial.js';

const asFailure = (error) => failed(error.status === 404 ? new Error('This service has no smart dial.') : error);

export function sheet({ seed = {} }, close) {
  const heard = get('heard');
  const station = get('stations')?.get(seed.station ?? get('player')?.station?.id);
  const favourites = (get('favourites') ?? []).map((each) => each.id);
  const attempt = async (work) => { try { await work(); close(); } catch (error) { asFailure(error); reload(); } };
  const make = (body, name) => attempt(() => dials.make(body, name));
  /** One that fits nothing may fit something once it looks further. */
  const widen = (dial) => attempt(async () => { await api.put(`${dials.address(dial)}/variety`, { value: dial.variety + 1 }); await dials.play({ ...dial, variety: dial.variety + 1 }); });
  const choices = [
    heard?.artist && [`Like ${heard.artist}`, { artist: heard.artist }], heard?.artist && heard?.title && [`Like “${heard.title}”`, { artist: heard.artist, title: heard.title }],
    station?.genre && [`All ${station.genre.toLowerCase()}`, { genre: station.genre }], favourites.length && ['My favourites', { stations: favourites }],
  ].filter(Boolean);
  const words = h('input', { type: 'text', name: 'words', maxlength: '150', required: true, 'aria-label': 'Artist or genre', placeholder: 'Artist or genre' });
  const kind = h('select', { 'aria-label': 'Kind' }, h('option', { value: 'artist' }, 'Artist'), h('option', { value: 'genre' }, 'Genre'));
  const list = h('div', {});
  const reload = () => fill(list, () => dials.all(), draw, { rows: 1 });
  const draw = (every) => {
    const found = every.filter((dial) => stays(dials.address(dial)));
    return found.length ? h('ul', { class: 'plain-list' }, found.map((dial) => h('li', { data: { key: dials.address(dial) } }, h('button', { type: 'button', class: 'jump', onClick: () => attempt(() => dials.play(dial)) }, icon('wand'), h('span', { class: 'one-line', dir: 'auto' }, dial.name)), dial.variety < 3 ? iconButton('shuffle', `Add variety to ${dial.name}`, () => widen(dial)) : null, iconButton('trash', `Remove ${dial.name}`, () => remove(dials.address(dial), `${dial.name} is removed.`, reload))))) : emptyState('wand', 'No dials yet', 'A dial tunes live stations that play what you like, and never cuts a track short.');
  };
  reload();
  return { title: 'Smart dial', content: h('div', { class: 'stack gap' }, list, choices.length ? h('div', { class: 'chips wrap' }, choices.map(([name, body]) => h('button', { type: 'button', class: 'chip', onClick: () => make(body, name) }, name))) : null,
    h('form', { class: 'inline', onSubmit: (event) => { event.preventDefault(); make({ [kind.value]: words.value }, words.value); } }, h('label', { class: 'field grow' }, words), h('label', { class: 'field' }, kind), h('button', { type: 'submit', class: 'pill primary' }, 'Create station'))) };
}
