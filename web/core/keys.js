// The keyboard. Single letters can be switched off in the settings.
import { get, set, kept } from './store.js';
import { api } from './api.js';
import { failed, toast } from './actions.js';
import { player } from './player.js';
import { go } from './router.js';

export const list = [
  ['Space', 'play or stop'], ['← →', 'back or forward 30 seconds, in recordings'], ['↑ ↓', 'louder or softer'],
  ['n p', 'next or previous station; chapter, in recordings'], ['f', 'favourite'], ['r', 'record what plays'], ['1 – 9', 'presets'], ['/', 'search'],
  ['Alt ↑ ↓', 'move a row that has a handle'], ['Esc', 'close what is open'], ['?', 'this list'],
];
/** The row that has the focus hears these itself. */
export const rowList = [['n', 'play next'], ['l', 'play last'], ['s', 'star'], ['m', 'mark played'], ['a', 'archive'], ['d', 'download'], ['Delete', 'delete']];

const isTyping = (target) => target.closest?.('input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]');
/** Elements that have a use of their own for this key. */
const isTaken = (key, target) => {
  if (key === ' ' && target.closest?.('button, a, summary, [role=button], input')) return true;
  if (key.startsWith('Arrow') && target.closest?.('[role=tablist], [role=menu], [role=listbox], [role=slider], input[type=range], [data-arrows]')) return true;
  return false;
};

function louder(change) {
  player.setVolume(get('volume') + change);
  toast(`Volume ${get('volume')} %`);
}

const actions = {
  ' ': () => player.toggle(),
  ArrowLeft: () => get('player').kind === 'recorded' && player.skip(-30),
  ArrowRight: () => get('player').kind === 'recorded' && player.skip(30),
  ArrowUp: () => louder(5),
  ArrowDown: () => louder(-5),
  n: () => player.next(),
  p: () => player.previous(),
  f: () => document.dispatchEvent(new CustomEvent('favourite-playing')),
  r: () => document.dispatchEvent(new CustomEvent('record-playing')),
  '/': () => { go('/search'); set('focus-search', Date.now()); },
  '?': () => set('sheet', { name: 'keys' }),
  Escape: () => set('full', false),
};

/** Whatever this page has looked at before, the service knows what is on a preset. */
async function tunePreset(number) {
  try {
    const { presets } = await api.get('stations/own');
    const station = presets.find((each) => each.preset === number);
    if (station) player.tune(station, { name: 'Presets', stations: presets });
  } catch (error) { failed(error); }
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isTaken(event.key, event.target)) return;
  // An open sheet has the keys for itself.
  if (get('sheet')) return;
  const isLetter = event.key.length === 1 && event.key !== ' ';
  if (isLetter && !kept.get('letters', true)) return;
  if (/^[1-9]$/.test(event.key)) {
    tunePreset(Number(event.key));
    return;
  }
  const scrolls = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  if (scrolls && get('player').kind === 'none') return;
  if (event.key === 'Escape' && !get('full')) return;
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
