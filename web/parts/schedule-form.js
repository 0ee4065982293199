// A schedule as a form, with the dates it leads to: a new one, or one that is changed.
import { h, icon, setText } from '../core/dom.js';
import { api, query } from '../core/api.js';
import { get } from '../core/store.js';
import { dateAndTime } from '../core/format.js';
import { failed } from '../core/actions.js';
import { may } from '../core/role.js';
import { days, reading, ruleOf, nextDates, askNext, askPaddings, ownZone, isElsewhere } from '../core/schedules.js';

const input = (type, name, more = {}) => h('input', { type, name, ...more });
const field = (text, control) => h('label', { class: 'field' }, text, control);
const select = (name, options, value) => h('select', { name }, options.map(([id, text]) => h('option', { value: id, selected: id === value }, text)));
const two = (number) => String(number).padStart(2, '0');
/** Milliseconds without another letter until the service is asked for the dates of a rule. */
const pause = 400;

/** A new schedule: what an address says of it, else an hour from the next one on. */
export function newValues(search) {
  const now = new Date(Date.now() + 3_600_000);
  const asked = (name, standard) => search.get(name) ?? standard;
  return {
    station: asked('station', get('player')?.station?.id ?? ''), name: asked('name', ''), repeats: asked('repeats', 'once'), days: [search.get('day')], rule: '',
    date: `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`, from: asked('from', `${two(now.getHours())}:00`), to: asked('to', `${two((now.getHours() + 1) % 24)}:00`),
    action: 'record', before: '', after: '', keep: false, zone: ownZone(),
  };
}

/** A schedule that is there; its times are those of its own zone. */
export function valuesOf(entry) {
  const clock = (stamp) => stamp.slice(11, 16);
  const end = entry.seconds === null ? '' : entry.until ?? new Date(Date.parse(`${entry.start}Z`) + entry.seconds * 1000).toISOString();
  return {
    station: entry.station.id, name: entry.name ?? '', rule: entry.rule ?? '', ...reading(entry.rule), date: entry.start.slice(0, 10), from: clock(entry.start), to: clock(end),
    action: entry.action, before: entry.pad_before / 60, after: entry.pad_after / 60, keep: entry.keep, zone: entry.zone,
  };
}

/** What a form says, in the words of the API. */
function draft(form, chosen) {
  const values = new FormData(form);
  const text = (name) => String(values.get(name) ?? '').trim();
  // What is left out is for the service to say, by its settings.
  const seconds = (name) => (text(name) === '' ? undefined : Number(text(name)) * 60);
  const repeats = text('repeats');
  const isDated = repeats === 'once' || repeats === 'rule';
  return {
    station: text('station'), name: text('name'), action: text('action'), rule: ruleOf(repeats, chosen, text('rule')), at: isDated ? `${text('date')} ${text('time')}` : text('time'),
    ...lasting(text('time'), text('end')), pad_before: seconds('before'), pad_after: seconds('after'), keep: values.get('keep') === 'on',
  };
}

/** Until the same time it lasts a day; without an end until somebody stops it. */
function lasting(from, to) {
  if (!to) return {};
  return from === to ? { seconds: 86_400 } : { until: to };
}

/** What is said otherwise now. A length goes with its beginning: of what begins later the end is told too. */
function changes(before, after) {
  const clock = ({ at }) => at.slice(-5);
  const hasMoved = clock(before) !== clock(after);
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value || (hasMoved && (key === 'until' || key === 'seconds'))));
}

/** What holds where no minutes are said stands in their fields, and below in words where it is something. */
function tellPaddings(form, hint) {
  const nothing = { before: 0, after: 0 };
  let settings = null;
  const short = (minutes) => String(Number(minutes.toFixed(2)));
  const show = () => {
    const held = form.elements.action.value === 'play' ? nothing : settings;
    for (const name of ['before', 'after']) form.elements[name].placeholder = held ? short(held[name]) : '';
    setText(hint, held?.before || held?.after ? `Where no minutes are said, those of the settings count: ${short(held.before)} earlier, ${short(held.after)} later.` : '');
    hint.hidden = !hint.textContent;
  };
  form.addEventListener('input', show);
  show();
  if (may('operator')) askPaddings().then((found) => { settings = found; show(); }, () => { /* the form does without */ });
}

/** `save(body, before)` is given all of a new schedule, and what was changed of another with what it was. */
export function scheduleForm(values, { save, cancel = null }) {
  const chosen = new Set(values.days.filter((id) => days.some(([each]) => each === id)));
  const station = input('text', 'station', { required: true, list: 'station-names', maxlength: '200', value: values.station, autocomplete: 'off' });
  const names = h('datalist', { id: 'station-names' });
  station.addEventListener('input', async () => { const { stations } = await api.get('stations' + query({ query: station.value, limit: 12 })).catch(() => ({ stations: [] })); names.replaceChildren(...stations.map((each) => h('option', { value: each.id }, each.name))); });
  const repeats = select('repeats', [['once', 'Once'], ['daily', 'Every day'], ['weekly', 'On days of the week'], ['rule', 'By a rule (RRULE)']], values.repeats);
  const date = field('Date', input('date', 'date', { value: values.date, required: true }));
  const ruleText = input('text', 'rule', { placeholder: 'FREQ=MONTHLY;BYDAY=1SA', value: values.repeats === 'rule' ? values.rule : '' });
  const rule = field('Rule', ruleText);
  const week = h('div', { class: 'chips wrap', role: 'group', 'aria-label': 'Days' }, days.map(([id, text]) => h('button', { type: 'button', class: 'chip', 'aria-pressed': String(chosen.has(id)), onClick: (event) => { const isOn = !chosen.delete(id); if (isOn) chosen.add(id); event.currentTarget.setAttribute('aria-pressed', String(isOn)); show(); } }, text)));
  const preview = h('p', { class: 'preview', role: 'status' });
  const isNew = !cancel;
  // A schedule that is there has its minutes: none of them is no answer.
  const minutes = (name, max) => input('number', name, { min: '0', max, step: 'any', required: !isNew, value: String(values[name]) });
  const hint = h('p', { class: 'hint', hidden: true });
  const form = h('form', { class: 'stack gap schedule-form', data: { needs: 'operator' }, onSubmit: submit },
    h('div', { class: 'form' }, field('Station', station), field('Name of the show', input('text', 'name', { maxlength: '200', value: values.name })), field('Repeats', repeats), date, field('From', input('time', 'time', { value: values.from, required: true })), field('To', input('time', 'end', { value: values.to, required: Boolean(values.to) })), rule,
      field('What to do', select('action', [['record', 'Record'], ['tracks', 'Record, a file per track too'], ['play', 'Play at the service']], values.action)), field('Minutes earlier', minutes('before', '120')), field('Minutes later', minutes('after', '240'))),
    hint, week, h('label', { class: 'toggle' }, input('checkbox', 'keep', { checked: values.keep }), h('span', {}, 'Never delete it by itself')), names, isElsewhere(values.zone) ? h('p', { class: 'hint' }, `Its times are those of ${values.zone}.`) : null, preview,
    h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'pill tinted' }, icon('calendar'), isNew ? 'Add schedule' : 'Save'), isNew ? null : h('button', { type: 'button', class: 'pill outline', onClick: cancel }, 'Cancel')));

  let round = 0;
  async function show() {
    const kind = repeats.value;
    date.hidden = kind !== 'once' && kind !== 'rule';
    rule.hidden = kind !== 'rule';
    ruleText.required = kind === 'rule';
    week.hidden = kind !== 'weekly';
    round += 1;
    const mine = round;
    const text = await dates(kind, () => mine === round);
    if (mine === round) setText(preview, text);
  }

  /** What this browser cannot work out, a rule or the clocks of another zone, the service does. */
  async function dates(kind, isWanted) {
    const { date: day, time } = Object.fromEntries(new FormData(form));
    if (!day || !time) return '';
    if (kind === 'weekly' && !chosen.size) return 'Choose at least one day.';
    if (kind !== 'rule' && !isElsewhere(values.zone)) return inWords(nextDates(kind, day, time, chosen));
    const later = 'The dates are shown once it is saved.';
    if (!may('operator') || !station.value || (kind === 'rule' && !ruleText.value.trim())) return later;
    await new Promise((done) => setTimeout(done, pause));
    if (!isWanted()) return '';
    try {
      const next = await askNext({ station: station.value.trim(), date: day, time, zone: values.zone, rule: ruleOf(kind, chosen, ruleText.value.trim()) });
      return inWords(next ? [next] : []);
    } catch (error) { return error.status ? later : `No dates: ${error.message}.`; }
  }

  const inWords = (found) => (found.length ? `Next: ${found.map((each) => dateAndTime(each)).join(' · ')}` : 'That time is over.');

  let before = null;
  async function submit(event) {
    event.preventDefault();
    const now = draft(form, chosen);
    try { await save(isNew ? { ...now, zone: values.zone } : changes(before, now), before); } catch (error) { failed(error); }
  }
  form.addEventListener('input', show);
  if (isNew) tellPaddings(form, hint);
  before = draft(form, chosen);
  requestAnimationFrame(show);
  return form;
}
