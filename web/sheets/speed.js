// The speed dial: half to three and a half times, in twentieths, with detents at the quarters.
import { h, setText } from '../core/dom.js';
import { get, watch } from '../core/store.js';
import { player } from '../core/player.js';

export const least = 0.5;
export const most = 3.5;
const step = 0.05;
const detent = 0.25;
/** How far a quarter holds the thumb; elsewhere half a step does. */
const hold = 0.045;
const presets = [1, 1.25, 1.5, 2];
const text = (speed) => `${Number(speed.toFixed(2))}×`;

/** The speed at a place of the dial. */
function settled(raw) {
  const quarter = Math.round(raw / detent) * detent;
  return Math.abs(raw - quarter) < hold ? quarter : Math.round(raw / step) * step;
}

export function sheet() {
  const value = h('output', { class: 'speed-value tabular' });
  // Finer than the speeds are, so that it can be told how near to a quarter the thumb is.
  const dial = h('input', { type: 'range', min: String(least), max: String(most), step: '0.01', 'aria-label': 'Speed' });
  const chips = presets.map((speed) => h('button', { type: 'button', class: 'chip', onClick: () => player.setSpeed(speed) }, `${speed}×`));
  const ticks = h('div', { class: 'ticks', 'aria-hidden': 'true' }, Array.from({ length: (most - least) / detent + 1 }, (_, index) => h('i', { class: (least + index * detent) % 1 === 0 ? 'whole' : '' })));
  let before = 1;
  dial.addEventListener('input', () => {
    const speed = settled(Number(dial.value));
    if (Math.floor(speed / detent) !== Math.floor(before / detent)) navigator.vibrate?.(8);
    before = speed;
    player.setSpeed(speed);
  });
  const steps = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageDown: -detent, PageUp: detent };
  dial.addEventListener('keydown', (event) => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    player.setSpeed(Math.min(most, Math.max(least, (get('player').speed ?? 1) + steps[event.key])));
  });
  const show = (state) => {
    const speed = state.speed ?? 1;
    dial.value = String(speed);
    dial.setAttribute('aria-valuetext', `${text(speed)}`);
    setText(value, text(speed));
    chips.forEach((chip, index) => chip.setAttribute('aria-pressed', String(presets[index] === speed)));
  };
  const content = h('div', { class: 'speed' }, value, h('div', { class: 'dial' }, dial, ticks), h('div', { class: 'chips wrap' }, chips));
  const end = watch('player', show);
  new MutationObserver((_, observer) => { if (!content.isConnected) { end(); observer.disconnect(); } }).observe(document.querySelector('sheet-host'), { childList: true });
  show(get('player'));
  return { title: 'Speed', content };
}
