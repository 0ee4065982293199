// What a recording or a show is about: what somebody wrote, else what is known of it. Whoever may, writes.
import { h, setText, whenLeft } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { on } from '../core/events.js';
import { failed } from '../core/actions.js';

const limit = 4000;

/** `key` is a recording's id or a show's key; `known` is what is said while nobody has written anything, and `know` says otherwise. */
export function descriptionBox(key, known) {
  const box = h('section', { class: 'description', 'aria-label': 'Description' });
  const address = `descriptions/${seg(key)}`;
  let text = '';
  const show = () => box.replaceChildren(h('p', { dir: 'auto' }, text || known), h('button', { type: 'button', class: 'text-button', data: { needs: 'operator' }, onClick: write }, text ? 'Change the description' : 'Write a description'));
  function write() {
    const area = h('textarea', { rows: '4', maxlength: String(limit), 'aria-label': 'Description' });
    area.value = text;
    const save = async (event) => {
      event.preventDefault();
      try { text = (await api.put(address, { text: area.value.trim() })).text; show(); } catch (error) { failed(error); }
    };
    box.replaceChildren(h('form', { class: 'stack gap', onSubmit: save }, h('label', { class: 'field' }, 'What it is about', area), h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'pill tinted' }, 'Save'), h('button', { type: 'button', class: 'pill outline', onClick: show }, 'Cancel'))));
    area.focus();
  }
  show();
  api.peek(address).then((found) => { text = found.text; if (!box.querySelector('form')) show(); }, () => {});
  whenLeft(box, on('description', (said) => { if (said.key === key) { text = said.text; if (!box.querySelector('form')) show(); } }));
  const know = (words) => { known = words; if (!text && !box.querySelector('form')) setText(box.querySelector('p'), words); };
  return Object.assign(box, { know });
}

const day = (iso) => new Date(iso).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const time = (iso) => new Date(iso).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** A sentence or two about a recording, out of what is recorded. */
export function aboutRecording(detail) {
  const titles = (detail.titles ?? []).filter((mark) => mark.class !== 'none');
  const artists = [...new Set(titles.map((mark) => mark.artist).filter(Boolean))];
  const among = artists.length ? `, ${artists.length > 3 ? 'among them' : 'with'} ${artists.slice(0, 3).join(', ')}` : '';
  const when = detail.ended ? `from ${time(detail.started)} to ${time(detail.ended)}` : `from ${time(detail.started)}`;
  return `Recorded from ${detail.station.name} on ${day(detail.started)}, ${when}.${titles.length ? ` ${count(titles.length, 'title', 'titles')}${among}.` : ''}`;
}

/** The same of a show and its recordings, newest first. */
export function aboutShow(show, rows) {
  const first = rows.at(-1);
  return `${show.isSeries ? 'A series from' : 'Recorded by hand from'} ${show.station.name}: ${count(rows.length, 'recording', 'recordings')} since ${day(first.started)}.`;
}
