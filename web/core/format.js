// Numbers and times as people read them.
const two = (number) => String(number).padStart(2, '0');

/** `m:ss` under an hour, `h:mm:ss` above. */
export function clock(seconds) {
  if (!Number.isFinite(seconds)) return '--:--';
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** `1h12 left`, `12 min left`, `42s left`. */
export function left(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}s left`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes} min left`;
  return `${Math.floor(minutes / 60)}h${two(minutes % 60)} left`;
}

/** `8 h 14 min left`, for the shelf of what is begun. */
export function longLeft(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** `34 min`, `1 h 20 min`, `42 s`. */
export function length(seconds) {
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

export function bytes(count) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = Number(count) || 0;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) { value /= 1000; unit += 1; }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `SUN · OCT 13`, upper case as an eyebrow. */
export function eyebrow(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const day = date.toLocaleDateString(undefined, { weekday: 'short' });
  const rest = date.toLocaleDateString(undefined, { month: 'short', day: 'numeric', ...(date.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' }) });
  return `${day} · ${rest}`.toUpperCase();
}

export function timeOfDay(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

export function dateAndTime(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString(undefined, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}

/** The now-airing line: `Artist – Title`, or what the station wrote. */
export function airing(mark) {
  if (!mark || mark.class === 'none') return '';
  if (mark.artist && mark.title) return `${mark.artist} – ${mark.title}`;
  return mark.text ?? '';
}

/** `12 min`, `40 s`: how long a sleep timer of minutes has yet. */
export function sleepLeft({ ends }) {
  const seconds = Math.max(0, (ends - Date.now()) / 1000);
  return seconds >= 60 ? `${Math.round(seconds / 60)} min` : `${Math.ceil(seconds)} s`;
}

/** Words as a sentence. */
export const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`;

/** What a live player says while what is tuned is not heard yet, or no more; nothing where it is heard. */
export const waiting = ({ phase, joining }) => (joining ? `Joining ${joining.name}…` : ({ joining: 'Joining…', stalled: 'Waiting for the station…' })[phase] ?? '');

/** `98.8 FM` where it is known, else `WEB`. */
export const frequency = (station) => station?.frequency || 'WEB';

/** `Jazz · Berlin`, from what is known. */
export function subline(station) {
  const capital = (text) => text && text[0].toUpperCase() + text.slice(1);
  return [capital(station?.genre), station?.market || station?.country].filter(Boolean).join(' · ');
}
