// For You, Radio, Recordings, Search, Library. An instant swap; the active one is filled and coral.
import { h, icon } from '../core/dom.js';
import { Part } from '../core/store.js';
import { path } from '../core/router.js';

const tabs = [['for-you', 'For You', 'home', '/'], ['radio', 'Radio', 'radio', '/radio'], ['recordings', 'Recordings', 'recordings', '/recordings'], ['search', 'Search', 'search', '/search'], ['library', 'Library', 'library', '/library']];

class TabBar extends Part {
  connectedCallback() {
    const links = tabs.map(([id, name, picture, to]) => h('a', { href: path(to), data: { tab: id } }, icon(picture), h('span', {}, name)));
    this.dataset.needs = 'viewer';
    this.replaceChildren(h('nav', { 'aria-label': 'Main' }, links));
    this.follows('route', ({ tab }) => {
      for (const link of links) {
        if (link.dataset.tab === tab) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
      }
    });
  }
}
customElements.define('tab-bar', TabBar);
