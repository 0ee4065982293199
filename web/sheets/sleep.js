// The sleep timer: minutes, or the end of the chapter. For live and recorded alike.
import { h } from '../core/dom.js';
import { get } from '../core/store.js';
import { player } from '../core/player.js';
import { toast } from '../core/actions.js';
import { clock, sleepLeft } from '../core/format.js';

export function sheet(_, close) {
  const state = get('player');
  const choose = (rule, text) => () => { player.sleep(rule); close(); toast(text); };
  const chapterEnd = state.kind === 'recorded' && get('chapter-end');
  const set = state.sleep;
  const now = !set ? '' : set.chapter ? `Stops at ${clock(set.chapter)}.` : set.ends ? `Stops in ${sleepLeft(set)}.` : 'The timer runs.';
  const chips = h('div', { class: 'chips wrap' },
    [5, 15, 30, 45, 60, 90].map((minutes) => h('button', { type: 'button', class: 'chip', 'aria-pressed': String(set?.minutes === minutes), onClick: choose({ minutes }, `Stops in ${minutes} minutes.`) }, `${minutes} min`)),
    chapterEnd ? h('button', { type: 'button', class: 'chip', 'aria-pressed': String(Boolean(set?.chapter)), onClick: choose({ chapter: chapterEnd }, 'Stops at the end of the chapter.') }, 'End of chapter') : null,
    set ? h('button', { type: 'button', class: 'chip', onClick: choose(null, 'The sleep timer is off.') }, 'Off') : null);
  return { title: 'Sleep timer', content: h('div', { class: 'stack gap' }, now ? h('p', { class: 'muted' }, now) : null, chips) };
}
