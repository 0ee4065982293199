// One box for stations, what is on now, and recordings.
import { h, icon, iconButton, setText, whenLeft } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { get, kept, watch } from '../core/store.js';
import { path, go, stay } from '../core/router.js';
import { section, brokenState, emptyState, link, loadingState, screenBox } from '../core/lists.js';
import { airing, dateAndTime } from '../core/format.js';
import { remember } from '../core/actions.js';
import { stationRow } from '../parts/station-row.js';
import { findRecordings, recordingsSection, followFound } from '../parts/found-recordings.js';
import { genreChips } from './radio.js';

const recentLimit = 8;

function keepSearch(text) {
  const words = text.trim();
  if (words.length < 2) return;
  kept.set('searches', [words, ...kept.get('searches', []).filter((each) => each.toLowerCase() !== words.toLowerCase())].slice(0, recentLimit));
}

async function find(text) {
  const [stations, recordings, log] = await Promise.all([
    api.get('stations' + query({ query: text, limit: 30 })),
    findRecordings(text),
    api.get('log' + query({ query: text, limit: 30 })).catch(() => ({ airings: [] })),
  ]);
  return { stations: remember(stations.stations), recordings, airings: log.airings };
}

/** More than these are not fetched one by one. */
const onNowLimit = 20;

/** Stations whose title of this moment has the words, looked at before or not. */
async function onNow(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const ids = [...(get('airing') ?? [])].filter(([, mark]) => words.every((word) => airing(mark).toLowerCase().includes(word))).map(([id]) => id).slice(0, onNowLimit);
  const found = await Promise.all(ids.map((id) => get('stations').get(id) ?? api.get(`stations/${seg(id)}`).catch(() => null)));
  return remember(found.filter(Boolean));
}

/** A song of the past, and the way to the station that played it. */
const aired = (entry) => h('li', {}, h('a', { href: path(`/station/${seg(entry.station)}`) }, icon('clock'), h('span', { class: 'stack' }, h('span', { class: 'one-line', dir: 'auto' }, entry.text ?? entry.title ?? ''), h('small', { class: 'one-line' }, `${get('stations').get(entry.station)?.name ?? entry.station} · ${dateAndTime(entry.at ?? entry.time)}`))));

/** An answer as sections, and what brings its recordings up to date. */
async function results(text, { stations, recordings, airings }) {
  const now = await onNow(text);
  const list = (name, found) => h('div', { class: 'rows', role: 'list' }, found.map((station) => stationRow(station, { name, stations: found })));
  const recorded = recordingsSection();
  const nothing = emptyState('search', `Nothing for “${text}”`, 'Fewer words, or another spelling, may find more.', link(path('/discover'), 'Discover stations', 'pill outline'));
  const show = (rows) => {
    const count = recorded.show(rows);
    nothing.hidden = Boolean(now.length || stations.length || count || airings.length);
  };
  show(recordings);
  const parts = [
    now.length ? section('On air now', list(`“${text}” on air`, now)) : null,
    stations.length ? section('Stations', list(`“${text}”`, stations)) : null,
    recorded.box,
    airings.length ? section('Aired', h('ul', { class: 'airings' }, airings.slice(0, 12).map(aired))) : null,
    nothing,
  ].filter(Boolean);
  return { text, parts, show };
}

export function screen({ search }) {
  const input = h('input', { type: 'search', placeholder: 'Stations, artists, recordings…', 'aria-label': 'Search', autocomplete: 'off', spellcheck: 'false', maxlength: '200', value: search.get('q') ?? '' });
  const found = h('div', {});
  const said = h('p', { class: 'visually-hidden', role: 'status' });
  const chips = genreChips(null, (genre) => go('/radio' + query({ genre })));
  let timer = 0;
  let asked = 0;
  /** The answer that is shown. */
  let shown = null;
  followFound(found, () => shown?.text, (rows) => shown?.show(rows));

  function recents() {
    shown = null;
    const past = kept.get('searches', []);
    found.replaceChildren(...[past.length ? section('Recent searches', h('ul', { class: 'recents' }, past.map((text) => h('li', {},
      h('button', { type: 'button', onClick: () => { input.value = text; run(); } }, icon('clock'), h('span', { class: 'one-line' }, text)),
      iconButton('close', `Forget ${text}`, () => { kept.set('searches', kept.get('searches', []).filter((each) => each !== text)); recents(); })))),
    h('button', { type: 'button', class: 'text-button', onClick: () => { kept.set('searches', []); recents(); } }, 'Clear')) : emptyState('search', 'Look for anything on air', 'A station, an artist that plays somewhere now, or something you recorded.'),
    section('Discover', h('p', {}, link(path('/discover'), 'Charts, countries and languages')))].filter(Boolean));
  }

  async function run() {
    const text = input.value.trim();
    stay('/search' + query({ q: text }));
    const mine = ++asked;
    if (!text) return recents();
    if (!found.querySelector('.section:not([hidden])')) found.replaceChildren(loadingState());
    try {
      const answer = await results(text, await find(text));
      if (mine !== asked) return;
      shown = answer;
      found.replaceChildren(...answer.parts);
      setText(said, [...found.querySelectorAll('.section:not([hidden])')].map((each) => `${each.querySelector('h2').textContent}: ${each.querySelectorAll('.rows > *, li').length}`).join(', ') || `Nothing for ${text}`);
    } catch (error) { if (mine === asked) { shown = null; found.replaceChildren(brokenState(error, run)); } }
  }

  input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(() => { if (input.isConnected) run(); }, 180); });
  input.addEventListener('focus', () => { if (!input.value) recents(); });
  input.addEventListener('change', () => keepSearch(input.value));
  // Asked for by its key, the box takes the focus; the screen may have come only then.
  whenLeft(input, watch('focus-search', (at) => { if (Date.now() - at < 3000) setTimeout(() => input.focus(), 60); }));
  run();
  return screenBox('Search', h('form', { class: 'search', role: 'search', onSubmit: (event) => { event.preventDefault(); keepSearch(input.value); clearTimeout(timer); run(); } }, icon('search'), input), chips, said, found);
}
