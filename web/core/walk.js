// The list that next and previous walk: its stations, its name, and the name by which the service knows it, where it does.
import { api, query } from './api.js';

/** What of a station a player needs. */
export function plain(station) {
  const { id, name, genre, country, market, frequency, callsign, logo, codec, favourite } = station;
  return { id, name, genre, country, market, frequency, callsign, logo, codec, favourite };
}

export const plainList = ({ name, group = null, stations }) => ({ name, group, stations: stations.slice(0, 500).map(plain) });

let list = { stations: [], name: '', group: null };

const isIn = (station) => list.stations.some((each) => each.id === station.id);
/** A list's stations with one among them, wherever the list begins. */
const around = (station, stations) => (stations.some((each) => each.id === station.id) ? stations : [station, ...stations]);

/** There is more than one station to walk. */
export const isWalkable = () => list.stations.length > 1;

/** The list that a station is shown to be of. */
export const listOf = (station) => (isIn(station) ? { listName: list.name, group: list.group } : { listName: '', group: null });

/** A station is tuned from a list, or by itself: then it stays one of the list that is walked, if it is. */
export function walkFrom(station, from) {
  if (from) list = { ...from, stations: around(station, from.stations) };
  else if (!isIn(station)) list = { stations: [station], name: '', group: null };
}

/** The station beside another in the list; null where there is none to walk to. */
export function beside(station, direction) {
  if (!isWalkable() || !station) return null;
  const index = list.stations.findIndex((each) => each.id === station.id);
  return list.stations[(index + direction + list.stations.length) % list.stations.length];
}

/** What is walked from a station that was tuned by itself: the favourites where it is one, else all; the service does the same. */
export async function widen(station) {
  const alone = list;
  for (const [name, group, which] of [['Favourites', 'favourites', { favourites: 1 }], ['All stations', null, {}]]) {
    const { stations } = await api.peek('stations' + query({ ...which, limit: 500 })).catch(() => ({ stations: [] }));
    if (list !== alone) return;
    const wider = { name, group, stations: around(station, stations.map(plain)) };
    if (wider.stations.length < 2 || (group && !stations.some((each) => each.id === station.id))) continue;
    list = wider;
    return;
  }
}
