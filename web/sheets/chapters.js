// Chapters: the active one has a bar, those that are over a check; a tap jumps.
import { h, icon } from '../core/dom.js';
import { player, position, isRecording } from '../core/player.js';
import { clock, airing } from '../core/format.js';
import { loadDetail, chaptersOf, chapterAt } from '../core/chapters.js';
import { fill, emptyState } from '../core/lists.js';

/** The chapters of a recording as a list; `isFound` brings the one that plays into sight once. */
export function chapterList(recording, detail, { isFound = false } = {}) {
  const chapters = chaptersOf(detail);
  if (!chapters.length) return emptyState('chapters', 'No chapters', 'The station told no titles while this was recorded.');
  const list = h('ol', { class: 'chapter-list' }, chapters.map((chapter, index) => h('li', {}, h('button', { type: 'button', onClick: () => (isRecording(recording.id) ? player.seek(chapter.start) : player.listen(recording, chapter.start)) },
    h('span', { class: 'number tabular' }, String(index + 1)), h('span', { class: 'name one-line', dir: 'auto' }, airing(chapter) || chapter.text), icon('check'), h('span', { class: 'tabular' }, clock(chapter.end - chapter.start))))));
  let waits = 0;
  let isLookedFor = isFound;
  const show = () => {
    // It has left the page, or in ten seconds nobody has put it there.
    waits += 1;
    if (!list.isConnected) { if (waits > 40) clearInterval(timer); return; }
    waits = 40;
    const at = isRecording(recording.id) ? position() : recording.listening?.position ?? 0;
    const active = isRecording(recording.id) ? chapterAt(chapters, at) : -1;
    if (isLookedFor && active >= 0) list.children[active].scrollIntoView({ block: 'center' });
    isLookedFor = false;
    [...list.children].forEach((row, index) => {
      if (index === active) row.setAttribute('aria-current', 'true'); else row.removeAttribute('aria-current');
      row.toggleAttribute('over', at >= chapters[index].end - 1 || Boolean(recording.listening?.finished && index !== active));
    });
  };
  const timer = setInterval(show, 250);
  requestAnimationFrame(show);
  return list;
}

export function sheet({ recording }) {
  return { title: 'Chapters', content: fill(h('div', {}), () => loadDetail(recording.id), (detail) => chapterList(recording, detail, { isFound: true })) };
}
