// A live station in a list: 68 px, logo, name, LIVE tag, genre and market, play in coral. One that plays lifts and shows
// the real signal.
import { h, iconButton, setButton, setText } from '../core/dom.js';
import { Part } from '../core/store.js';
import { player, isLive, isSounding, isTuned, markOf } from '../core/player.js';
import { airing, subline } from '../core/format.js';
import { path } from '../core/router.js';
import { seg } from '../core/api.js';
import { isGuest } from '../core/role.js';
import { warmOn, drawn } from '../core/warm.js';
import { stationTile } from './station-tile.js';
import './eq-bars.js';

class StationRow extends Part {
  /** The station, and what next and previous walk: `{name, group?, stations}`. */
  station;
  list;

  connectedCallback() {
    const { station } = this;
    // A guest has no page of it.
    const name = isGuest() ? h('span', { class: 'name one-line', dir: 'auto' }, station.name) : h('a', { class: 'name one-line', href: path(`/station/${seg(station.id)}`), dir: 'auto' }, station.name);
    this.tag = h('span', { class: 'live-tag' }, h('i', { class: 'dot' }), 'LIVE');
    this.sub = h('span', { class: 'one-line', dir: 'auto' });
    this.bars = null;
    this.button = iconButton('play', `Listen to ${station.name}`, () => this.#press(), { className: 'row-play' });
    this.classList.add('station-row');
    this.setAttribute('role', 'listitem');
    // A row that is moved about is connected again, and keeps the handle it is moved by.
    const handle = [...this.children].find((each) => each.matches('.handle'));
    this.replaceChildren(...[handle, stationTile(station), h('div', { class: 'stack' }, name, h('p', { class: 'sub' }, this.tag, this.sub)), this.button].filter(Boolean));
    // By the way the click came: what it hit may have been redrawn by the button's own answer to it.
    this.onclick = (event) => { if (!event.composedPath().some((each) => each.matches?.('a, button'))) this.#press(); };
    for (const name of ['player', 'airing', 'heard']) this.follows(name, () => this.#show(), { now: false });
    warmOn(this, () => this.station);
    drawn(station);
    this.#show();
  }

  #press() {
    if (isTuned(this.station.id)) player.stop();
    else player.tune(this.station, this.list);
  }

  #show() {
    const { station } = this;
    const isMine = isLive(station.id);
    const sounds = isMine && isSounding();
    this.toggleAttribute('playing', sounds);
    const isOn = isTuned(station.id);
    setButton(this.button, isOn ? 'stop' : 'play', isOn ? `Stop ${station.name}` : `Listen to ${station.name}`);
    setText(this.sub, [subline(station) || 'Web radio', airing(markOf(station))].filter(Boolean).join(' · '));
    // Made only where something sounds: a bar that nobody sees still costs a frame.
    if (sounds && !this.bars) this.button.before(this.bars = document.createElement('eq-bars'));
    if (!sounds && this.bars) { this.bars.remove(); this.bars = null; }
  }
}
customElements.define('station-row', StationRow);

/** A row for a station. */
export function stationRow(station, list) {
  return Object.assign(document.createElement('station-row'), { station, list });
}
