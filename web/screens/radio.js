// Every station, by genre; fetched a page at a time.
import { h } from '../core/dom.js';
import { api, query } from '../core/api.js';
import { path, go } from '../core/router.js';
import { endless, emptyState, link, screenBox } from '../core/lists.js';
import { remember } from '../core/actions.js';
import { stationRow } from '../parts/station-row.js';

export const genres = ['Pop', 'Rock', 'Jazz', 'Classical', 'News', 'Talk', 'Dance', 'Electronic', 'Country', 'Folk', 'Soul', 'Metal', 'Reggae', 'Ambient', 'World'];

/** Chips of genres; `chosen` is the one that is on. */
export function genreChips(chosen, choose) {
  const chips = genres.map((genre) => h('button', { type: 'button', class: 'chip', 'aria-pressed': String(genre === chosen), onClick: () => choose(genre === chosen ? null : genre) }, genre));
  // The one that is on may lie beyond the edge.
  requestAnimationFrame(() => chips[genres.indexOf(chosen)]?.scrollIntoView({ block: 'nearest', inline: 'center' }));
  return h('div', { class: 'chips', role: 'group', 'aria-label': 'Genres' }, chips);
}

export function screen({ search }) {
  const genre = search.get('genre');
  const country = search.get('country');
  const list = { name: genre ?? country ?? 'All stations', stations: [] };
  const rows = endless({
    page: async (offset, limit) => {
      const { stations } = await api.get('stations' + query({ genre, country, offset, limit }));
      list.stations.push(...remember(stations));
      return stations;
    },
    row: (station) => stationRow(station, list),
    empty: () => emptyState('radio', genre ? `No ${genre.toLowerCase()} stations` : 'No stations', 'Another genre, or a search, may find one.', link(path('/search'), 'Search', 'pill outline')),
  });
  const box = screenBox('Radio', genreChips(genre, (next) => go('/radio' + query({ genre: next }), { replace: true })), rows);
  rows.reload();
  return box;
}
