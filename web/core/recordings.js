// The recordings that the page knows: fetched once, kept true by the events, and the ways to look at them.
import { api, query } from './api.js';
import { get, set, watch } from './store.js';
import { whenLeft } from './dom.js';
import { on } from './events.js';
import { path } from './router.js';

const pageSize = 1000;
let loading = null;
/** Recordings that somebody deleted here, though the service has them for some seconds yet. */
const forgotten = new Set();

/** All rows, newest first; fetched the first time they are asked for. */
export function all() {
  loading ??= (async () => {
    const rows = [];
    for (;;) {
      const { recordings } = await api.get('recordings' + query({ limit: pageSize, offset: rows.length }));
      rows.push(...recordings);
      if (recordings.length < pageSize) break;
    }
    putAll(rows.filter((row) => !forgotten.has(row.id)));
  })().catch((error) => { loading = null; throw error; });
  return loading.then(() => get('recordings'));
}

/** Whether somebody deleted it here: the service may have it for some seconds yet. */
export const isForgotten = (id) => forgotten.has(id);

/** Rows that are in the page already are told, too: what they show may have changed while nobody said so. */
function putAll(rows) {
  const before = new Map((get('recordings') ?? []).map((row) => [row.id, JSON.stringify(row)]));
  set('recordings', rows);
  for (const row of rows) if (before.has(row.id) && before.get(row.id) !== JSON.stringify(row)) set('recording-row', row);
}

export const known = (id) => get('recordings')?.find((each) => each.id === id);

function put(row) {
  const rows = get('recordings');
  if (!rows || forgotten.has(row.id)) return;
  const index = rows.findIndex((each) => each.id === row.id);
  if (index < 0) rows.unshift(row);
  else rows[index] = { ...rows[index], ...row, listening: row.listening ?? rows[index].listening };
  set('recordings', rows);
  set('recording-row', rows[Math.max(0, index)]);
}

on('recording', put);
on('recording-deleted', ({ id }) => forget(id));
on('listening', ({ id, listening }) => {
  const row = known(id);
  if (row) row.listening = listening;
  set('marked', { id, listening });
});
on('hello', () => { if (loading) { loading = null; all().catch(() => {}); } });

/** Calls back now, and whenever a recording or its marks are others, until a part has left the page. */
export function followRecordings(part, callback) {
  const tell = () => callback(get('recordings') ?? []);
  const ends = [watch('recordings', tell), watch('marked', tell, { now: false })];
  whenLeft(part, () => ends.forEach((end) => end()));
}

/** Takes one out of sight, as after its deletion. */
export function forget(id) {
  forgotten.add(id);
  set('forgotten', id);
  set('recordings', (get('recordings') ?? []).filter((each) => each.id !== id));
}

/** Puts one back to where it was. */
export function recall(recording) {
  forgotten.delete(recording.id);
  set('recordings', [recording, ...(get('recordings') ?? []).filter((each) => each.id !== recording.id)].sort((a, b) => (a.started < b.started ? 1 : -1)));
}

export const title = (recording) => recording.show || recording.station?.name || 'Recording';
export const showKey = (recording) => (recording.show ? `show:${recording.show}` : `station:${recording.station.id}`);
export const showPath = (recording) => path(`/recordings/show/${encodeURIComponent(showKey(recording))}`);
/** The address of a recording's sound; one of several files by its place. */
export const audioOf = (recording, index = 0) => `/api/v1/recordings/${encodeURIComponent(recording.id)}/audio${index ? `?file=${index + 1}` : ''}`;
export const isBeingWritten = (recording) => recording.state === 'recording';
export const isBroken = (recording) => recording.state === 'failed' || (!recording.path && !isBeingWritten(recording));
export const isPlayable = (recording) => !isBeingWritten(recording) && !isBroken(recording) && recording.seconds > 0;
export const isUnplayed = (recording) => isPlayable(recording) && !recording.listening?.finished && !(recording.listening?.position > 0);
export const isBegun = (recording) => isPlayable(recording) && !recording.listening?.finished && recording.listening?.position > 0;

/** Talk is heard in the reading room. */
export const isTalk = (recording) => /talk|news|speech|drama|book|comedy|culture/i.test(recording.genre ?? recording.station?.genre ?? get('stations')?.get(recording.station?.id)?.genre ?? '');

/** Shows: recordings by their rule's name, or by station where somebody just pressed record. */
export function shows(rows) {
  const found = new Map();
  for (const row of rows) {
    if (row.listening?.archived) continue;
    const key = showKey(row);
    const show = found.get(key) ?? { key, name: title(row), station: row.station, isSeries: Boolean(row.show), recordings: [], unplayed: 0, seconds: 0 };
    show.recordings.push(row);
    show.unplayed += isUnplayed(row) ? 1 : 0;
    show.seconds += row.seconds;
    found.set(key, show);
  }
  return [...found.values()];
}

const day = 86_400_000;

/** Filters that are always there. */
export const builtIn = [
  { id: 'new', name: 'New', icon: 'plus', colour: 5, rules: { state: 'new' } },
  { id: 'in-progress', name: 'In progress', icon: 'clock', colour: 8, rules: { state: 'unfinished' } },
  { id: 'starred', name: 'Starred', icon: 'star', colour: 3, rules: { state: 'starred' } },
];

const states = {
  new: isUnplayed, unfinished: isBegun, starred: (row) => row.listening?.starred, finished: (row) => row.listening?.finished,
  archived: (row) => row.listening?.archived, recording: isBeingWritten, downloaded: (row) => row.listening?.downloaded, gaps: (row) => row.lost_seconds > 0,
};

/** Whether a recording fits a filter's rules: state, type, station, show, since (days), longer and shorter (minutes). */
export function fits(row, rules) {
  if (rules.state ? !states[rules.state]?.(row) : false) return false;
  if (rules.state !== 'archived' && row.listening?.archived) return false;
  if (rules.type && !(rules.type === 'talk' ? isTalk(row) : !isTalk(row))) return false;
  if (rules.station && row.station.id !== rules.station) return false;
  if (rules.since && Date.now() - Date.parse(row.started) > rules.since * day) return false;
  if (rules.longer && row.seconds < rules.longer * 60) return false;
  if (rules.shorter && row.seconds > rules.shorter * 60) return false;
  return true;
}

/** Twelve colours for filters; none of them is coral. */
export const swatches = ['#FF5C8A', '#E04FD0', '#FFC14D', '#C9D64B', '#78D549', '#2BC48A', '#33C5C0', '#4AA8FF', '#7F8CFF', '#A97BFF', '#C8A27A', '#B8A0A8'];
