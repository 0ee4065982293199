// The live player: a station, what it plays, and one way in and out. Nothing here has a position.
import { h, icon, iconButton, setButton, setText, reducedMotion } from '../core/dom.js';
import { Part, get, set } from '../core/store.js';
import { player, isSounding, isStill, isTuned, neighbour } from '../core/player.js';
import { recentTitles } from '../core/titles.js';
import { warmOn } from '../core/warm.js';
import { airing, sentence, waiting, frequency, timeOfDay, subline } from '../core/format.js';
import { isFavourite, setFavourite, share, toast, failed } from '../core/actions.js';
import { runningOf } from '../core/running.js';
import { keepSong } from '../core/keep.js';
import { pressRecord } from '../core/record.js';
import { api, seg } from '../core/api.js';
import { on } from '../core/events.js';
import { path, go } from '../core/router.js';
import { stationTile } from './station-tile.js';
import { groundOf, css, artworkNow } from '../core/artwork.js';
import { showSleep } from './sleep-chip.js';
import './scan-bar.js';

class LivePlayer extends Part {
  #id = null;
  #heard = null;
  #announced = 0;

  connectedCallback() {
    this.dataset.side = 'live';
    const collapse = iconButton('down', 'Close the player', () => set('full', false), { className: 'round plain collapse' });
    this.context = h('strong', { class: 'one-line', dir: 'auto' });
    const menu = iconButton('more', 'More', () => set('sheet', { name: 'menu', title: get('player').station.name, items: this.#menu() }), { className: 'round plain' });
    this.stage = h('div', { class: 'stage' });
    this.callSign = h('h2', { class: 'call-sign', dir: 'auto' });
    this.heart = iconButton('heart', 'Add to favourites', () => { const { station } = get('player'); setFavourite(station, !isFavourite(station.id)); }, { data: { needs: 'operator' } });
    this.now = h('p', { class: 'now-airing', dir: 'auto' });
    this.sub = h('p', { class: 'now-sub', dir: 'auto' });
    this.said = h('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
    this.main = h('button', { type: 'button', class: 'big-play', onClick: () => player.toggleLive() });
    warmOn(this.main, () => get('player').station);
    this.down = iconButton('thumbdown', 'Thumb down: leaves this station', () => this.#thumb('down'), { className: 'round thumb down', data: { needs: 'operator' } });
    this.up = iconButton('up', 'Thumb up: shapes your dial', () => this.#thumb('up'), { className: 'round thumb up', data: { needs: 'operator' } });
    this.recent = h('ol', { class: 'recent' });
    this.recentBox = h('section', { class: 'recent-box', 'aria-label': 'Recent tracks' }, h('h3', {}, 'Recent tracks'), this.recent);
    this.replaceChildren(
      h('header', { class: 'player-top' }, collapse, h('p', { class: 'context' }, h('span', { class: 'overline' }, 'Live station'), this.context), menu),
      this.stage,
      h('div', { class: 'call' }, h('div', { class: 'stack' }, this.callSign, this.now, this.sub), this.heart),
      document.createElement('scan-bar'),
      h('div', { class: 'transport', role: 'group', 'aria-label': 'Station' },
        warmOn(iconButton('previous', 'Previous station', () => player.previous(), { className: 'round skip' }), () => neighbour(-1)),
        this.down, this.main, this.up,
        warmOn(iconButton('next', 'Next station', () => player.next(), { className: 'round skip' }), () => neighbour(1))),
      h('div', { class: 'under' },
        this.recording = this.#chip('record', 'Record', () => pressRecord(get('player').station), 'operator'),
        this.keep = this.#chip('clock', 'Keep song', () => this.#keep(), 'operator'),
        this.asleep = this.#chip('moon', 'Sleep', () => set('sheet', { name: 'sleep' })),
        this.#chip('settings', 'Settings', () => set('sheet', { name: 'sound' }))),
      this.said, this.recentBox);
    this.follows('player', (state) => state.kind === 'live' && this.#show(state));
    this.follows('heard', (mark) => this.#title(mark));
    this.follows('stations', () => this.#loved());
    this.follows('timeline', () => this.#history());
    this.follows('thumbs', () => this.#thumbs());
    this.follows('running', () => this.#recorded());
    const ticking = setInterval(() => showSleep(this.asleep, get('player').sleep), 1000);
    this.atEnd(() => clearInterval(ticking));
  }

  /** Whether what is tuned is being recorded, by this page or by anybody. */
  #recorded() {
    const isOn = runningOf(get('player').station?.id).length > 0;
    this.recording.classList.toggle('active', isOn);
    setText(this.recording.lastChild, isOn ? 'Recording' : 'Record');
    this.recording.setAttribute('aria-label', isOn ? 'Recording: more' : 'Record');
  }

  #chip(picture, name, onClick, needs) {
    return h('button', { type: 'button', class: 'action-chip', onClick, data: needs ? { needs } : {} }, icon(picture), h('span', {}, name));
  }

  #show(state) {
    const { station } = state;
    if (this.#id !== station.id) this.#change(station, state.direction ?? 0);
    setText(this.context, state.listName || subline(station) || 'Stations');
    const sounds = isSounding();
    const isOn = isTuned();
    setButton(this.main, isOn ? 'stop' : 'play', isOn ? `Stop ${station.name}` : `Listen to ${station.name}`);
    this.main.classList.toggle('sounds', sounds);
    this.toggleAttribute('sounding', sounds);
    this.badge?.toggleAttribute('data-off', state.phase !== 'live');
    this.#recorded();
    showSleep(this.asleep, state.sleep);
    this.#title(get('heard'));
  }

  /** The tile slides, the words cross-fade. */
  #change(station, direction) {
    const isFirst = this.#id === null;
    this.#id = station.id;
    const tile = stationTile(station, 'large');
    this.badge = h('span', { class: 'live-badge' }, h('i', { class: 'dot' }), 'LIVE');
    tile.append(this.badge, h('span', { class: 'frequency' }, frequency(station)));
    const old = this.stage.firstElementChild;
    this.stage.replaceChildren(tile);
    setText(this.callSign, station.callsign || station.name);
    this.#loved();
    this.#history();
    this.#ground(tile);
    if (isFirst || !direction || reducedMotion()) return;
    const way = direction > 0 ? 1 : -1;
    tile.animate([{ transform: `translateX(${way * 60}%)`, opacity: 0 }, { transform: 'none', opacity: 1 }], { duration: 220, easing: 'ease-out' });
    if (old) {
      old.classList.add('leaving');
      this.stage.append(old);
      old.animate([{ transform: 'none', opacity: 1 }, { transform: `translateX(${way * -60}%)`, opacity: 0 }], { duration: 220, easing: 'ease-out' }).finished.finally(() => old.remove());
    }
    for (const words of [this.callSign, this.now, this.sub]) words.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 220 });
  }

  /** The ground behind the player, out of the picture's own colour. */
  #ground(tile) {
    const image = tile.querySelector('img.cover') ?? tile.querySelector('img');
    const paint = (colour) => this.closest('full-player')?.style.setProperty('--ground', colour ? css(colour) : 'transparent');
    if (!image) return paint(null);
    // A picture that comes when another is shown paints nothing any more.
    const isShown = () => this.stage.contains(tile) && !tile.classList.contains('leaving') && (image.matches('.cover') || !tile.querySelector('img.cover'));
    const look = () => { if (isShown()) paint(groundOf(image, getComputedStyle(this.callSign).color.match(/\d+/g).slice(0, 3).map(Number))); };
    if (image.complete && image.naturalWidth) return look();
    image.addEventListener('load', look, { once: true });
    // Where it does not come, nothing of the station before is left.
    image.addEventListener('error', () => isShown() && paint(null), { once: true });
  }

  #title(mark) {
    const state = get('player');
    if (state?.kind !== 'live') return;
    const heard = mark?.station === state.station.id ? mark : null;
    const text = state.joining ? '' : airing(heard);
    const isTrack = Boolean(text && heard.title && heard.artist);
    setText(this.now, isTrack ? heard.title : text || (state.phase === 'failed' ? sentence(state.reason || 'the stream failed') : waiting(state)) || (isSounding() ? 'Live radio' : 'Stopped'));
    setText(this.sub, isTrack ? heard.artist : text ? subline(state.station) : '');
    if (heard?.since !== this.#heard) {
      this.#heard = heard?.since;
      this.#picture(state.station, heard);
      this.#history();
      this.#thumbs();
      // At most one announcement in ten seconds.
      if (text && Date.now() - this.#announced > 10_000) { this.#announced = Date.now(); setText(this.said, `Now airing: ${text}`); }
    }
  }

  /** The picture of what airs, else the station's, else ours. */
  #picture(station, heard) {
    const address = artworkNow(station, heard);
    const tile = this.stage.firstElementChild;
    if (!tile) return;
    const uncover = () => { tile.querySelector('img.cover')?.remove(); tile.classList.toggle('has-art', Boolean(tile.querySelector('img'))); };
    if (!address) { if (tile.querySelector('img.cover')) { uncover(); this.#ground(tile); } return; }
    const image = h('img', { alt: '', src: address, class: 'cover' });
    // One that comes when the next track is on comes too late.
    image.addEventListener('load', () => { if (heard.since !== this.#heard) return; uncover(); tile.append(image); tile.classList.add('has-art'); this.#ground(tile); });
    image.addEventListener('error', () => { if (heard.since === this.#heard) { uncover(); this.#ground(tile); } });
  }

  #loved() {
    const { station } = get('player') ?? {};
    if (!station) return;
    const loved = isFavourite(station.id);
    setButton(this.heart, 'heart', loved ? 'Remove from favourites' : 'Add to favourites', { solid: loved });
    this.heart.classList.toggle('on', loved);
  }

  #history() {
    const heard = get('heard');
    const titles = recentTitles().filter((mark) => airing(mark) && (!heard || mark.since <= heard.since));
    this.recentBox.hidden = titles.length === 0;
    this.recent.replaceChildren(...titles.map((mark) => h('li', {}, h('time', { class: 'tabular', datetime: mark.since }, timeOfDay(mark.since)), h('span', { class: 'one-line', dir: 'auto' }, airing(mark)))));
  }

  // MARK: Thumbs, songs

  #thumbs() {
    const heard = get('heard');
    const vote = heard?.title ? get('thumbs')?.find((thumb) => thumb.title === heard.title && (thumb.artist ?? null) === (heard.artist ?? null))?.direction : null;
    const can = Boolean(heard?.title);
    this.up.disabled = !can;
    setButton(this.up, 'up', vote === 'up' ? 'Thumb up is given: take it back' : 'Thumb up: shapes your dial', { solid: vote === 'up' });
    this.up.classList.toggle('given', vote === 'up');
    this.up.setAttribute('aria-pressed', String(vote === 'up'));
    // Down is never solid: it corrects, it does not commit.
    setButton(this.down, 'thumbdown', 'Thumb down: leaves this station');
    this.down.classList.toggle('given', vote === 'down');
    this.keep.disabled = !airing(heard);
    this.down.setAttribute('aria-pressed', String(vote === 'down'));
  }

  async #thumb(direction) {
    const before = get('player');
    const { station, where } = before;
    const heard = get('heard');
    const isGiven = direction === 'up' && this.up.classList.contains('given');
    try {
      if (heard?.title) {
        // The title on the screen: what arrives is some seconds ahead of what is heard.
        await api.put('thumbs', { station: station.id, direction: isGiven ? 'none' : direction, since: heard.since });
        set('thumbs', (await api.get('thumbs')).thumbs);
      }
    } catch (error) { failed(error); return; }
    // The service has left the station already where the sound is there, and somebody may have done so here.
    if (direction === 'down' && where === 'here' && isStill(before)) player.next();
  }

  #keep() {
    const heard = get('heard');
    // A song that is still heard here may be over where it arrives.
    const [newest] = recentTitles();
    keepSong(heard, newest && newest.since !== heard.since ? 'previous' : 'present');
  }

  #menu() {
    const { station } = get('player');
    return [
      { needs: 'viewer', picture: 'info', text: 'About this station', act: () => { set('full', false); go(`/station/${seg(station.id)}`); } },
      { needs: 'operator', picture: 'record', text: 'Record now', act: () => pressRecord(get('player').station) },
      { needs: 'operator', picture: 'calendar', text: 'Schedule a recording', act: () => { set('full', false); go(`/recordings/schedules?station=${seg(station.id)}`); } },
      ...(get('dial') ? [{ picture: 'info', text: 'Why this', act: () => import('../core/dial.js').then(({ dials }) => dials.why()) }, { picture: 'shuffle', text: 'Add variety', act: () => import('../core/dial.js').then(({ dials }) => dials.addVariety()) }] : []),
      { needs: 'operator', picture: 'wand', text: 'Smart dial', act: () => set('sheet', { name: 'dial', seed: { station: station.id } }) },
      { picture: 'share', text: 'Share', act: () => share(station.name, location.origin + path(`/station/${seg(station.id)}`)) },
      { needs: 'viewer', picture: 'car', text: 'Car mode', act: () => { set('full', false); go('/car'); } },
      { picture: 'close', text: 'Close the player', act: () => player.close() },
    ];
  }
}
customElements.define('live-player', LivePlayer);

const loadThumbs = () => api.peek('thumbs').then(({ thumbs }) => set('thumbs', thumbs), () => {});
on('again', loadThumbs);
on('thumb', loadThumbs);
loadThumbs();
