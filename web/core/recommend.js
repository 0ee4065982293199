// What to recommend, out of what was played, kept and thumbed. Pure: it is told everything, and says nothing to the service.
const tagsOf = (station) => [...new Set([station?.genre, ...(station?.tags ?? [])].filter(Boolean).map((tag) => tag.toLowerCase()))].slice(0, 6);
const song = (mark) => `${mark.artist ?? ''}\n${mark.title ?? ''}`.toLowerCase();
const artist = (mark) => mark.artist?.toLowerCase();

/** What each sort of fact weighs. */
const weights = { favourite: 3, played: 2, up: 3, down: -4, genre: 1, airsSong: 8, airsArtist: 5, airsDisliked: -8, airs: 0.5 };

/** What the house likes: genres and stations with their weights, songs and artists with a thumb up, songs with one down. */
export function taste({ favourites = [], played = [], thumbs = [], stationOf = () => null }) {
  const [genres, stations] = [new Map(), new Map()];
  const add = (map, key, by) => map.set(key, (map.get(key) ?? 0) + by);
  const like = (station, by, own) => { for (const tag of tagsOf(station)) add(genres, tag, by); if (station) add(stations, station.id, own); };
  for (const station of favourites) like(station, 1, weights.favourite);
  for (const station of played) like(station, 1, weights.played);
  for (const thumb of thumbs) like(stationOf(thumb.station) ?? { id: thumb.station }, thumb.direction === 'up' ? 1 : -1, thumb.direction === 'up' ? weights.up : weights.down);
  const [ups, downs] = ['up', 'down'].map((direction) => thumbs.filter((thumb) => thumb.direction === direction));
  return { genres, stations, songs: new Set(ups.map(song)), artists: new Set(ups.map(artist).filter(Boolean)), disliked: new Set(downs.map(song)) };
}

/** The genres that weigh most. */
export const favouriteGenres = ({ genres }, count) => [...genres].filter(([, weight]) => weight > 0).sort((a, b) => b[1] - a[1]).slice(0, count).map(([genre]) => genre);

const isTrack = (mark) => Boolean(mark?.title) && mark.class !== 'none';

/** Ids of the stations that air what has a thumb up: such songs first, then such artists. */
export function likedNow(airing, { songs, artists, disliked }) {
  const found = [];
  for (const [id, mark] of airing) {
    if (!isTrack(mark) || disliked.has(song(mark))) continue;
    if (songs.has(song(mark))) found.push([0, id]); else if (artists.has(artist(mark))) found.push([1, id]);
  }
  return found.sort((a, b) => a[0] - b[0]).map(([, id]) => id);
}

function airsNow(mark, { songs, artists, disliked }) {
  if (!isTrack(mark)) return mark ? weights.airs : 0;
  if (disliked.has(song(mark))) return weights.airsDisliked;
  return songs.has(song(mark)) ? weights.airsSong : artists.has(artist(mark)) ? weights.airsArtist : weights.airs;
}

/** Stations by what the house likes, the best first; where nothing is known of them they stay in their order. */
export function recommended(stations, known, airing) {
  const score = (station) => (known.stations.get(station.id) ?? 0) + airsNow(airing.get(station.id), known) + weights.genre * tagsOf(station).reduce((sum, tag) => sum + (known.genres.get(tag) ?? 0), 0);
  return stations.map((station, index) => [score(station), index, station]).sort((a, b) => b[0] - a[0] || a[1] - b[1]).map(([, , station]) => station);
}
