// Four bars that move with what really sounds. Three that stand still where motion is not wanted.
import { h, reducedMotion } from '../core/dom.js';
import { Part } from '../core/store.js';
import { signal } from '../core/player.js';

class EqBars extends Part {
  connectedCallback() {
    this.setAttribute('aria-hidden', 'true');
    const bars = Array.from({ length: reducedMotion() ? 3 : 4 }, () => h('i', {}));
    this.replaceChildren(...bars);
    if (reducedMotion()) { this.toggleAttribute('still', true); return; }
    let frame = 0;
    const draw = () => {
      frame = requestAnimationFrame(draw);
      if (this.hidden || !this.offsetParent) return;
      const levels = signal();
      this.toggleAttribute('real', levels !== null);
      bars.forEach((bar, index) => bar.style.setProperty('--level', levels ? Math.min(1, 0.12 + levels[index] * 1.15).toFixed(3) : '0.2'));
    };
    draw();
    this.atEnd(() => cancelAnimationFrame(frame));
  }
}
customElements.define('eq-bars', EqBars);
