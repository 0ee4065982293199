// Where the sound goes and how loud it is.
import { h, icon } from '../core/dom.js';
import { get, watch } from '../core/store.js';
import { player } from '../core/player.js';

export function sheet() {
  const range = h('input', { type: 'range', min: '0', max: '100', step: '1', 'aria-label': 'Volume' });
  const show = (volume) => { range.value = String(volume); range.setAttribute('aria-valuetext', `${volume} percent`); };
  range.addEventListener('input', () => player.setVolume(Number(range.value)));
  const end = watch('volume', show);
  const choice = (where, picture, name, text) => {
    const button = h('button', { type: 'button', class: 'choice', 'aria-pressed': String(get('player').where === where), onClick: () => { player.setWhere(where); for (const each of box.children) each.setAttribute('aria-pressed', String(each === button)); } }, icon(picture), h('span', { class: 'stack' }, h('strong', {}, name), h('small', {}, text)));
    return button;
  };
  const box = h('div', { class: 'choices', role: 'group', 'aria-label': 'Where the sound goes' },
    choice('here', 'phone', 'Here', 'In this browser'), choice('there', 'speaker', 'There', 'At the service, on its own sound output'));
  const content = h('div', { class: 'stack gap' }, box, h('label', { class: 'volume' }, icon('speaker'), range));
  new MutationObserver((_, observer) => { if (!content.isConnected) { end(); observer.disconnect(); } }).observe(document.querySelector('sheet-host'), { childList: true });
  return { title: 'Sound', content };
}
