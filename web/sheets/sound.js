// Where the sound goes and how loud it is.
import { h, icon } from '../core/dom.js';
import { get, watch } from '../core/store.js';
import { player } from '../core/player.js';
import { api } from '../core/api.js';
import { fill } from '../core/lists.js';
import { failed } from '../core/actions.js';
import { may } from '../core/role.js';

/** The sinks of the service's sound server: which one it sounds on is chosen here. */
function outputs() {
  const draw = ({ outputs: found, chosen, reason }) => {
    if (!found.length) return h('p', { class: 'hint' }, reason ?? 'The sound server has no outputs.');
    const choose = h('select', { name: 'output' }, h('option', { value: '' }, 'The sound server’s default'), found.map((each) => h('option', { value: each.name }, each.description)),
      chosen && !found.some((each) => each.name === chosen) ? h('option', { value: chosen }, `${chosen} (not there)`) : null);
    choose.value = chosen;
    choose.addEventListener('change', async () => { try { await api.put('player/output', { name: choose.value }); } catch (error) { failed(error); choose.value = chosen; } });
    return h('label', { class: 'field' }, 'Output of the service', choose);
  };
  const box = h('div', { class: 'outputs' });
  return fill(box, () => api.get('player/outputs').catch((error) => { if (error.status === 503) return { outputs: [], chosen: '', reason: `There: ${error.message}. ${error.remedy}` }; throw error; }), draw, { rows: 1 });
}

export function sheet() {
  const range = h('input', { type: 'range', min: '0', max: '100', step: '1', 'aria-label': 'Volume' });
  const show = (volume) => { range.value = String(volume); range.setAttribute('aria-valuetext', `${volume} percent`); };
  range.addEventListener('input', () => player.setVolume(Number(range.value)));
  const end = watch('volume', show);
  const choice = (where, picture, name, text) => {
    return h('button', { type: 'button', class: 'choice', data: { where }, onClick: () => player.setWhere(where) }, icon(picture), h('span', { class: 'stack' }, h('strong', {}, name), h('small', {}, text)));
  };
  const box = h('div', { class: 'choices', role: 'group', 'aria-label': 'Where the sound goes' },
    choice('here', 'phone', 'Here', 'In this browser'), may('operator') ? choice('there', 'speaker', 'There', 'At the service, on its own sound output') : null);
  // Also where another tab moves the sound.
  const endOfWhere = watch('player', (state) => { for (const each of box.children) each.setAttribute('aria-pressed', String(each.dataset.where === state.where)); });
  const content = h('div', { class: 'stack gap' }, box, h('label', { class: 'volume' }, icon('speaker'), range), may('operator') ? outputs() : null);
  // In a sheet or on a screen: with it goes what it watches.
  const gone = new MutationObserver(() => { if (!content.isConnected) { end(); endOfWhere(); gone.disconnect(); } });
  for (const place of [document.querySelector('sheet-host'), document.getElementById('screen')]) gone.observe(place, { childList: true });
  return { title: 'Sound', content };
}
