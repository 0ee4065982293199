// The chapters of a recording: what aired while it was made.
import { api, seg } from './api.js';

const details = new Map();

/** All that is known of a recording: titles, gaps, silences, files. Kept while it is over; a running one is asked again. */
export async function loadDetail(id) {
  if (details.has(id)) return details.get(id);
  const detail = await api.get(`recordings/${seg(id)}`);
  if (detail.state !== 'recording') details.set(id, detail);
  return detail;
}

/** `{start, end, text, artist, title}` in order. */
export function chaptersOf(detail) {
  const titles = (detail?.titles ?? []).filter((mark) => mark.class !== 'none' && (mark.text || mark.title));
  return titles.map((mark, index) => ({
    start: Math.max(0, mark.cut_seconds ?? mark.seconds), end: titles[index + 1] ? titles[index + 1].cut_seconds ?? titles[index + 1].seconds : detail.seconds,
    text: mark.text, artist: mark.artist, title: mark.title, class: mark.class, wall: mark.wall,
  })).filter((chapter) => chapter.end > chapter.start);
}

/** The chapter of a place; -1 before the first. */
export function chapterAt(chapters, at) {
  let index = -1;
  for (let each = 0; each < chapters.length; each += 1) if (chapters[each].start <= at + 0.05) index = each;
  return index;
}

/** Where the chapter after or before a place begins; null where there is none. */
export function chapterBeside(chapters, at, direction) {
  const index = chapterAt(chapters, at);
  if (direction > 0) return chapters[index + 1]?.start ?? null;
  if (!chapters.length) return null;
  const start = chapters[index]?.start ?? 0;
  // Back within the first seconds is the one before.
  return at - start > 3 ? start : chapters[index - 1]?.start ?? 0;
}
