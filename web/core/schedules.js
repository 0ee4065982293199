// Schedules: their rules in words, the zone of their times, and the dates they lead to.
import { api, query } from './api.js';

export const days = [['mon', 'Mon'], ['tue', 'Tue'], ['wed', 'Wed'], ['thu', 'Thu'], ['fri', 'Fri'], ['sat', 'Sat'], ['sun', 'Sun']];
const letters = (id) => id.slice(0, 2).toUpperCase();
const ordinals = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', '-1': 'last' };
const together = new Intl.ListFormat('en-GB');

/** The zone of this browser's clock. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Zones have several names: `UTC` is `Etc/UTC`. */
function oneName(zone) {
  try { return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone; } catch { return zone; }
}

export const isElsewhere = (zone) => oneName(zone) !== oneName(ownZone());

function plainDays(parts) {
  const by = parts.get('BYDAY')?.split(',') ?? [];
  const found = days.filter(([id]) => by.includes(letters(id)));
  return by.length && found.length === by.length ? found : null;
}

/** What a rule is in the form, `{repeats, days}`, and in words where there are common ones, else in its own. */
export function reading(rule) {
  if (!rule) return { repeats: 'once', days: [], words: '' };
  const parts = new Map(rule.split(';').map((part) => part.split('=')));
  if (parts.get('INTERVAL') === '1') parts.delete('INTERVAL');
  const is = (frequency, size) => parts.get('FREQ') === frequency && parts.size === size;
  const found = plainDays(parts);
  if (is('DAILY', 1)) return { repeats: 'daily', days: [], words: 'every day' };
  if (is('WEEKLY', 2) && found) return { repeats: 'weekly', days: found.map(([id]) => id), words: found.length === 7 ? 'every day' : together.format(found.map(([, name]) => name)) };
  const [, place, day] = /^(-1|[1-4])([A-Z]{2})$/.exec(parts.get('BYDAY') ?? '') ?? [];
  const words = is('MONTHLY', 2) && day ? `the ${ordinals[place]} ${days.find(([id]) => letters(id) === day)?.[1]} of the month` : rule;
  return { repeats: 'rule', days: [], words };
}

/** The rule of what a form says; empty for once. */
export const ruleOf = (repeats, chosen, text) => ({
  daily: 'FREQ=DAILY', weekly: `FREQ=WEEKLY;BYDAY=${days.filter(([id]) => chosen.has(id)).map(([id]) => letters(id)).join()}`, rule: text,
})[repeats] ?? '';

/** The next dates of what begins at a time of this browser's clock; none where they are over. */
export function nextDates(repeats, date, time, chosen) {
  const first = new Date(`${date}T${time}`);
  if (Number.isNaN(first.getTime())) return [];
  if (repeats === 'once') return first > new Date() ? [first] : [];
  const found = [];
  for (let ahead = 0; ahead < 60 && found.length < 5; ahead += 1) {
    const day = new Date();
    day.setDate(day.getDate() + ahead);
    day.setHours(first.getHours(), first.getMinutes(), 0, 0);
    if (day > new Date() && (repeats === 'daily' || chosen.has(days[(day.getDay() + 6) % 7][0]))) found.push(day);
  }
  return found;
}

/** What the service makes of a schedule of one hour, in the words of a calendar: it keeps nothing of it. */
async function tried({ station, begins, zone, rule = '' }) {
  const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:preview', `DTSTART:${begins}`, 'DURATION:PT1H', ...(rule ? [`RRULE:${rule}`] : []), 'END:VEVENT', 'END:VCALENDAR'].join('\r\n');
  const { schedules, notes } = await api.post('schedules/import', { text, station, zone, try: true });
  if (!schedules.length) throw new Error((notes[0] ?? '').replace('preview: ', ''));
  return schedules[0];
}

/** The next date as the service works it out. */
export async function askNext({ station, date, time, zone, rule }) {
  const { next } = await tried({ station, begins: `${date}T${time}00`.replace(/[-:]/g, ''), zone, rule });
  return next ? new Date(next.start) : null;
}

/** How much earlier and later a recording is made whose schedule says nothing of it, in minutes: so the service reads an event of tomorrow. */
export async function askPaddings() {
  const { stations: [any] } = await api.get('stations' + query({ limit: 1 }));
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  const { pad_before: before, pad_after: after } = await tried({ station: any.id, begins: `${tomorrow}T120000`, zone: 'Etc/UTC' });
  return { before: before / 60, after: after / 60 };
}
