// Bookmarks with notes.
import { h, icon, iconButton, setText } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { player, position, isRecording } from '../core/player.js';
import { clock } from '../core/format.js';
import { failed, toast } from '../core/actions.js';
import { fillAndFollow, emptyState } from '../core/lists.js';

/** The bookmarks of a recording, and a form for another. */
export function bookmarkList(recording) {
  const box = h('div', {});
  const root = `recordings/${seg(recording.id)}/bookmarks`;
  const remove = async ({ id, seconds, note }) => {
    try { await api.delete(`${root}/${seg(id)}`); } catch (error) { return failed(error); }
    reload();
    toast(`The bookmark at ${clock(seconds)} is gone.`, { undo: () => api.post(root, { seconds, note }).then(reload, failed) });
  };
  const draw = ({ bookmarks }) => (bookmarks.length ? h('ul', { class: 'plain-list' }, bookmarks.map((bookmark) => h('li', { data: { key: bookmark.id } },
    h('button', { type: 'button', class: 'jump', onClick: () => (isRecording(recording.id) ? player.seek(bookmark.seconds) : player.listen(recording, bookmark.seconds)) }, icon('bookmark', { solid: true }), h('span', { class: 'tabular' }, clock(bookmark.seconds)), h('span', { class: 'one-line', dir: 'auto' }, bookmark.note || 'Bookmark')),
    iconButton('trash', `Remove the bookmark at ${clock(bookmark.seconds)}`, () => remove(bookmark), { data: { needs: 'operator' } })))) : emptyState('bookmark', 'No bookmarks', 'Mark a place, and say what is there.'));
  const place = () => (isRecording(recording.id) ? position() : recording.listening?.position ?? 0);
  const mark = h('button', { type: 'submit', class: 'pill tinted tabular' });
  const note = h('input', { type: 'text', maxlength: '500', placeholder: 'Note', 'aria-label': 'Note' });
  const form = h('form', { class: 'inline', data: { needs: 'operator' }, onSubmit: async (event) => {
    event.preventDefault();
    try { await api.post(root, { seconds: place(), note: note.value }); note.value = ''; reload(); } catch (error) { failed(error); }
  } }, h('label', { class: 'field grow' }, note), mark);
  const show = () => setText(mark, `Mark ${clock(place())}`);
  show();
  const ticking = setInterval(() => (form.isConnected ? show() : clearInterval(ticking)), 500);
  const reload = fillAndFollow(box, ['bookmarks'], () => api.get(root), draw, { rows: 1 });
  return h('div', { class: 'stack gap' }, form, box);
}

export function sheet({ recording }) { return { title: 'Bookmarks', content: bookmarkList(recording) }; }
