// Effects: trim silence, in three strengths, and volume boost.
import { h } from '../core/dom.js';
import { kept } from '../core/store.js';
import { player } from '../core/player.js';

const strengths = [['mild', 'Mild'], ['medium', 'Medium'], ['max', 'Max']];

export function sheet() {
  const effects = kept.get('effects', { trim: 'off', boost: false });
  const put = (change) => { Object.assign(effects, change); player.effects({ ...effects }); show(); };
  const trim = h('input', { type: 'checkbox' });
  const boost = h('input', { type: 'checkbox' });
  trim.addEventListener('change', () => put({ trim: trim.checked ? 'mild' : 'off' }));
  boost.addEventListener('change', () => put({ boost: boost.checked }));
  const chips = strengths.map(([id, name]) => h('button', { type: 'button', class: 'chip', data: { trim: id }, onClick: () => put({ trim: id }) }, name));
  const strength = h('div', { class: 'chips wrap', role: 'group', 'aria-label': 'Strength' }, chips);
  const show = () => {
    trim.checked = effects.trim !== 'off';
    boost.checked = effects.boost;
    strength.hidden = effects.trim === 'off';
    chips.forEach((chip) => chip.setAttribute('aria-pressed', String(chip.dataset.trim === effects.trim)));
  };
  show();
  const row = (input, name, text) => h('label', { class: 'toggle' }, h('span', { class: 'stack' }, h('strong', {}, name), h('small', {}, text)), input);
  return { title: 'Effects', content: h('div', { class: 'stack gap effects' }, row(trim, 'Trim silence', 'Shortens silent gaps in talk'), strength, row(boost, 'Volume boost', 'Levels quiet voices for noisy rooms')) };
}
