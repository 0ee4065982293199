// The scrubber of a recording: a thin rail, its knob, and the two times.
import { h, setText } from '../core/dom.js';
import { player } from '../core/player.js';
import { clock } from '../core/format.js';

class ScrubBar extends HTMLElement {
  #total = 0;
  #isDragged = false;
  chapters = [];

  connectedCallback() {
    if (this.input) return;
    this.classList.add('scrubber');
    this.input = h('input', { type: 'range', min: '0', max: '1', step: '0.1', value: '0', 'aria-label': 'Position' });
    this.elapsed = h('span', {});
    this.remaining = h('span', {});
    this.replaceChildren(this.input, h('p', { class: 'times tabular' }, this.elapsed, this.remaining));
    this.input.addEventListener('input', () => { this.#isDragged = true; this.#draw(Number(this.input.value)); });
    this.input.addEventListener('change', () => { this.#isDragged = false; player.seek(Number(this.input.value)); });
    // An arrow is thirty seconds here as everywhere; the finer steps are Shift's.
    this.input.addEventListener('keydown', (event) => {
      const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      player.skip(way * (event.shiftKey ? 1 : 30));
    });
  }

  show(at, total) {
    if (!this.input) return;
    if (total && total !== this.#total) { this.#total = total; this.input.max = total.toFixed(1); }
    if (this.#isDragged) return;
    this.input.value = at.toFixed(1);
    this.#draw(at);
  }

  #draw(at) {
    const total = this.#total;
    this.style.setProperty('--part', total ? (Math.min(at, total) / total).toFixed(5) : '0');
    setText(this.elapsed, clock(at));
    setText(this.remaining, total ? `−${clock(total - at)}` : '--:--');
    this.input.setAttribute('aria-valuetext', `${clock(at)} of ${clock(total)}`);
  }
}
customElements.define('scrub-bar', ScrubBar);
