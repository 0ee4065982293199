// Captions beside a recording: WebVTT, SRT or LRC, read as text and never as markup.
const tags = /<[^>]{0,200}>/g;
const stamp = /<(\d\d:)?(\d\d):(\d\d)[.,](\d{3})>/;

/** WebVTT writes these characters by name, as it has a use for them itself. */
const characters = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f' };
const decoded = (text) => text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
  if (name) return characters[name] ?? whole;
  const code = decimal ? Number(decimal) : parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
});

const seconds = (text) => {
  const parts = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{2,3})$/.exec(text.trim());
  if (!parts) return NaN;
  return Number(parts[1] ?? 0) * 3600 + Number(parts[2]) * 60 + Number(parts[3]) + Number(parts[4]) / 10 ** parts[4].length;
};

/** The words of a line with the moments they begin: their own stamps where there are some, else spread by their length. */
function wordsOf(text, start, end) {
  if (stamp.test(text)) {
    const words = [];
    let at = start;
    for (const piece of text.split(/(<[^>]{0,200}>)/)) {
      const found = /^<(.*)>$/.exec(piece);
      if (found) { const moment = seconds(found[1]); if (Number.isFinite(moment)) at = moment; } else if (piece) for (const word of decoded(piece).match(/\S+\s*/g) ?? []) words.push({ text: word, start: at });
    }
    return words;
  }
  const words = decoded(text.replace(tags, '')).match(/\S+\s*/g) ?? [];
  const letters = words.reduce((sum, word) => sum + word.length, 0) || 1;
  let gone = 0;
  return words.map((word) => { const made = { text: word, start: start + (end - start) * (gone / letters) }; gone += word.length; return made; });
}

const cue = (start, end, text) => ({ start, end, words: wordsOf(text, start, end) });

function readBlocks(text) {
  const cues = [];
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => line.includes('-->'));
    if (at < 0) continue;
    const [from, rest] = lines[at].split('-->');
    const [start, end] = [seconds(from), seconds(rest.trim().split(/\s+/)[0] ?? '')];
    const words = lines.slice(at + 1).join(' ').trim();
    if (Number.isFinite(start) && end > start && words) cues.push(cue(start, end, words));
  }
  return cues;
}

function readLyrics(text, total) {
  const lines = [];
  for (const line of text.split(/\r?\n/)) {
    const moments = [...line.matchAll(/\[(\d{1,3}:\d{2}[.,]\d{2,3})\]/g)].map((found) => seconds(found[1]));
    const words = line.replace(/\[[^\]]*\]/g, '').trim();
    for (const moment of moments) if (Number.isFinite(moment)) lines.push([moment, words]);
  }
  lines.sort((a, b) => a[0] - b[0]);
  return lines.map(([start, words], index) => cue(start, lines[index + 1]?.[0] ?? Math.min(start + 8, total || start + 8), words)).filter((each) => each.words.length);
}

/** Cues of a file's text, whichever of the three it is. */
export function readCaptions(text, type, total = 0) {
  return /lrc|lyric/i.test(type) || (!text.includes('-->') && /^\s*\[\d/m.test(text)) ? readLyrics(text, total) : readBlocks(text);
}

/** The cues of a recording, or null where there are none. */
export async function loadCaptions(id) {
  try {
    const answer = await fetch(`/api/v1/recordings/${encodeURIComponent(id)}/captions`);
    if (!answer.ok || answer.status === 204) return null;
    return readCaptions(await answer.text(), answer.headers.get('Content-Type') ?? '');
  } catch { return null; }
}

/** The cue of a place and the number of its word; null between cues. */
export function cueAt(cues, at) {
  const found = cues.find((each) => at >= each.start && at < each.end);
  if (!found) return null;
  let word = 0;
  found.words.forEach((each, index) => { if (each.start <= at) word = index; });
  return { cue: found, word };
}
