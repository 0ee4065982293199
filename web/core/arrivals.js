// Whether the bytes of a station arrive. The service knows of every byte that comes from the station and says when they stop;
// the browser tells what comes from the service, roughly every 360 ms and now and then later, which is all that a guest has.
import { on, isFollowed } from './events.js';

/** For this page the bytes have stopped after so long without a word of the browser, where the service says nothing; milliseconds. */
const silenceAfter = 450;
/** A station that sends in gusts is known by two pauses in short order that were no stalls, and is waited for so long. So is one of which
 *  the service says that it sends: then only the way from there to here is in question. */
const gust = 1500;
const falseAlarms = 1;
/** A browser that was busy once makes no station one of gusts; milliseconds. */
const shortOrder = 20_000;

/** What the service said of its stations, `{state, reason, retry_at, arriving, segment_seconds}` by id. */
const told = new Map();
on('hello', (status) => { told.clear(); for (const station of status.stations ?? []) told.set(station.id, station); });
on('station', (station) => told.set(station.id, station));

/** Whether bytes come from a station, as the service says; true while it has said nothing. */
export const sends = (id) => told.get(id)?.arriving ?? true;

/** How the service's own connection to a station is doing, in the player's words; guests are told nothing. */
export function feedOf(id) {
  const { state = '', reason, retry_at: retryAt } = told.get(id) ?? {};
  return { feed: state, feedReason: reason ?? '', retryAt: retryAt ?? null };
}

/** What arrives of one connection to the service. */
export class Arrivals {
  #station = null;
  #last = 0;
  /** When pauses ended that were no stalls. */
  #alarms = [];

  /** A connection is opened, or none is. */
  begin(station) {
    this.#station = station?.id ?? null;
    this.#last = 0;
    this.#alarms = [];
  }

  /** Bytes came. */
  came() {
    const now = performance.now();
    const pause = now - this.#last;
    if (pause > silenceAfter && pause < gust) this.#alarms = [...this.#recent, now];
    this.#last = now;
  }

  get arriving() {
    if (!this.#station || (isFollowed() && !sends(this.#station))) return false;
    return performance.now() - this.#last < this.#patience;
  }

  get #recent() { return this.#alarms.filter((at) => performance.now() - at < shortOrder); }

  get #patience() {
    if (!isFollowed()) return this.#recent.length > falseAlarms ? gust : silenceAfter;
    // Segments come at once, and then nothing for as long as they last.
    return gust + (told.get(this.#station)?.segment_seconds ?? 0) * 1500;
  }
}
