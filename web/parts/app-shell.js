// The frame: the screen, the player beside or above it, the mini-player, the tabs.
import { h } from '../core/dom.js';
import { Part, get, set } from '../core/store.js';
import { follow, show } from '../core/router.js';
import { setFavourite, isFavourite, toast } from '../core/actions.js';
import { runningOf } from '../core/running.js';
import { may, isGuest } from '../core/role.js';
import { brokenState } from '../core/lists.js';
import './tab-bar.js';
import './mini-player.js';
import './full-player.js';
import './toast-host.js';
import './banner-host.js';
import './sheet-host.js';

class AppShell extends Part {
  #screen = h('main', { id: 'screen', tabindex: '-1' });
  #current = null;
  #places = new Map();

  connectedCallback() {
    this.replaceChildren(
      h('div', { class: 'column' }, document.createElement('banner-host'), this.#screen),
      document.createElement('full-player'),
      h('div', { class: 'dock' }, document.createElement('mini-player'), document.createElement('tab-bar')),
      document.createElement('toast-host'),
      document.createElement('sheet-host'),
    );
    this.addEventListener('click', follow);
    this.follows('route', (route) => this.#show(route));
    this.follows('session', () => { if (this.#current && isGuest() !== this.#isForGuest) this.#show(this.#current); });
    this.follows('player', (state) => {
      this.dataset.playing = state.kind;
      this.dataset.side = state.kind === 'recorded' ? 'recorded' : 'live';
    });
    document.addEventListener('favourite-playing', () => {
      const { station } = get('player');
      if (station && !may('operator')) set('sheet', { name: 'pair' });
      else if (station) setFavourite(station, !isFavourite(station.id));
    });
    document.addEventListener('record-playing', () => {
      const { station } = get('player');
      if (station && !may('operator')) set('sheet', { name: 'pair' });
      else if (station && runningOf(station.id).length) toast(`${station.name} is being recorded already.`);
      else if (station) import('../core/record.js').then(({ pressRecord }) => pressRecord(station));
    });
    document.addEventListener('needs-pairing', () => {
      // Guests have the way to pair on their page.
      if (get('session') && !isGuest() && !get('sheet')) set('sheet', { name: 'pair' });
    });
    show();
  }

  async #show(route) {
    if (this.#current) this.#places.set(this.#current.key, scrollY);
    this.#current = route;
    this.#isForGuest = isGuest();
    const mine = this.#isForGuest;
    const module = await (mine ? import('../screens/guest.js') : route.load()).catch(() => null);
    if (this.#current !== route || this.#isForGuest !== mine) return;
    const screen = module ? module.screen(route) : brokenState(new Error('This screen could not be loaded.'), () => this.#show(route));
    this.#screen.replaceChildren(screen);
    this.#screen.dataset.tab = route.tab;
    document.title = `${screen.dataset?.title ?? 'aircheck'} · aircheck`;
    this.#scrollTo(this.#places.get(route.key) ?? 0);
    if (this.#hasShown) this.#screen.querySelector('h1')?.focus({ preventScroll: true });
    this.#hasShown = true;
    if (route.isUnknown) toast('There is no such page here. This is For You.', { kind: 'error' });
  }

  /** To where the screen was left; what it fetches makes it that long only later. */
  #scrollTo(place) {
    this.#placing?.abort();
    scrollTo(0, place);
    if (place === 0) return;
    const placing = new AbortController();
    this.#placing = placing;
    const grown = new ResizeObserver(() => { scrollTo(0, place); if (Math.abs(scrollY - place) < 1) placing.abort(); });
    placing.signal.addEventListener('abort', () => grown.disconnect());
    grown.observe(this.#screen);
    // Not against anybody's hand, and not for ever.
    for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(name, () => placing.abort(), { signal: placing.signal, passive: true });
    setTimeout(() => placing.abort(), 5000);
  }

  #placing = null;
  #hasShown = false;
  #isForGuest = false;
}
customElements.define('app-shell', AppShell);

