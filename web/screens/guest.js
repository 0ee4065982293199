// For guests: they hear the stations. Nothing is shown that they may not do; what else there is, and how to come by it, is said.
import { h } from '../core/dom.js';
import { get } from '../core/store.js';
import { emptyState, fill, screenBox, section } from '../core/lists.js';
import { stationsForGuests, followTitles } from '../core/guests.js';
import { stationRow } from '../parts/station-row.js';
import { windowedRows } from '../parts/windowed-rows.js';
import { sheet as pairing } from '../sheets/pair.js';

function stations(found) {
  if (found === 'elsewhere') return emptyState('phone', 'The stations are at another address', 'Whoever keeps this radio knows the one for listening.');
  if (!found) return emptyState('phone', 'These stations are for paired browsers', 'A code pairs this one.');
  if (!found.length) return emptyState('radio', 'No stations yet', 'Whoever keeps this radio adds them.');
  const list = { name: 'All stations', stations: found };
  const rows = windowedRows((station) => stationRow(station, list));
  rows.set(found);
  followTitles(rows);
  return rows;
}

/** How a guest becomes more than that. */
function more() {
  if (!get('session')?.isListenOnly) return pairing(null, () => {}).content;
  return h('div', { class: 'stack gap' },
    h('p', {}, 'This address is for listening. Searching, recording and the settings are on the page of the machine that this radio runs on.'),
    h('p', { class: 'hint' }, 'Whoever keeps it can open that page to this network (', h('code', {}, 'server.bind'), ' in aircheck.toml); ', h('code', {}, 'aircheck pair'), ' then shows a code for this browser.'));
}

export function screen() {
  const box = screenBox('Radio');
  box.append(h('p', { class: 'muted' }, 'You are a guest here: what you see plays with a tap.'));
  fill(box.appendChild(h('div', { class: 'guest-stations' })), stationsForGuests, stations);
  box.append(section('More than listening', more()));
  return box;
}
