// The bar in the place of a scrubber: a band of light that sweeps while audio bytes really arrive, and at no other time.
import { h } from '../core/dom.js';
import { Part } from '../core/store.js';

class ScanBar extends Part {
  connectedCallback() {
    const isThin = this.hasAttribute('thin');
    const band = h('i', {});
    const words = h('p', { class: 'streaming' }, h('i', { class: 'dot' }), h('span', {}, 'Streaming live'));
    this.replaceChildren(h('div', { class: 'rail', 'aria-hidden': 'true' }, band), ...(isThin ? [] : [words]));
    this.follows('player', (state) => {
      const moves = state.kind === 'live' && state.phase === 'live' && state.arriving;
      this.toggleAttribute('moving', moves);
      words.toggleAttribute('data-off', !moves);
      const text = moves ? 'Streaming live' : { joining: 'Joining', stalled: 'Waiting for the station', failed: 'Off air', live: 'Waiting for the station' }[state.phase] ?? 'Stopped';
      if (words.lastChild.textContent !== text) words.lastChild.textContent = text;
    });
  }
}
customElements.define('scan-bar', ScanBar);
