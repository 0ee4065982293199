// What a guest knows of the stations: the playlist and the list of what is on that every player of old reads.
import { isSounding, titleCame } from './player.js';
import { seg } from './api.js';
import { whenLeft } from './dom.js';
import { get } from './store.js';

/** How often it is looked what is on, in milliseconds: everywhere, and at the station that sounds here. */
const every = 10_000;
const everyHere = 1000;

function idOf(address) {
  try { return decodeURIComponent(new URL(address, location.href).pathname.slice(1)); } catch { return ''; }
}

/** The stations of a playlist, `{id, name}` each. */
export function readPlaylist(text) {
  const stations = [];
  let name = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#EXTINF')) name = line.slice(line.indexOf(',') + 1).trim();
    else if (line && !line.startsWith('#')) {
      const id = idOf(line);
      if (id) stations.push({ id, name: name || id });
      name = '';
    }
  }
  return stations;
}

/** The stations; null where they are not open to guests, 'elsewhere' where this address has none. */
export async function stationsForGuests() {
  // A browser that has nothing to show for itself would ask the person for a password.
  const hasSome = get('session')?.isListenOnly || get('session')?.role === 'listener';
  const answer = await fetch('/all.m3u', { credentials: hasSome ? 'same-origin' : 'omit' }).catch(() => null);
  if (answer?.status === 404) return 'elsewhere';
  if ([401, 403].includes(answer?.status)) return null;
  if (!answer?.ok) throw new Error(answer ? `The service answered ${answer.status}.` : 'The service cannot be reached.');
  return readPlaylist(await answer.text());
}

/** Tells what is on, for as long as `element` stands in the page. */
export function followTitles(element) {
  const known = new Map();
  const look = async (mount) => {
    const status = await fetch('/status-json.xsl' + mount, { credentials: 'same-origin', signal: AbortSignal.timeout(every) }).then((answer) => answer.json()).catch(() => null);
    for (const { listenurl, title } of [status?.icestats?.source ?? []].flat()) {
      const id = idOf(listenurl ?? '');
      if (!id || !title || known.get(id) === title) continue;
      known.set(id, title);
      titleCame({ station: { id }, now: { text: title, class: 'track', since: new Date().toISOString() } });
    }
  };
  let timer = 0;
  let hasLeft = false;
  // What is heard is a moment older than what is on: so the title of what sounds here is known in time. One question at a time, all of
  // them every tenth.
  const round = async (number) => {
    const { kind, station } = get('player');
    const sounds = kind === 'live' && isSounding();
    if (number % (every / everyHere) === 0) await look(''); else if (sounds) await look(`?mount=/${seg(station.id)}`);
    if (!hasLeft) timer = setTimeout(() => round(number + 1), everyHere);
  };
  round(0);
  whenLeft(element, () => { hasLeft = true; clearTimeout(timer); });
}
