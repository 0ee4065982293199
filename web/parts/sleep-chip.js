// The chip of the sleep timer, live and recorded alike: on while one runs, and then what is left of it.
import { setText } from '../core/dom.js';
import { sleepLeft } from '../core/format.js';

/** Shows how the timer stands on its chip; a timer without `ends` is the end of a chapter. */
export function showSleep(chip, sleep) {
  const left = sleep?.ends ? sleepLeft(sleep) : '';
  chip.classList.toggle('active', Boolean(sleep));
  setText(chip.lastChild, left || 'Sleep');
  chip.setAttribute('aria-label', left ? `Sleep timer, ${left} left` : 'Sleep timer');
}
