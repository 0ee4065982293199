// Schedules: a clear form with the dates it leads to, what comes, what was missed.
import { h, icon, iconButton, setText } from '../core/dom.js';
import { api, query, seg } from '../core/api.js';
import { get } from '../core/store.js';
import { section, fill, screenBox, emptyState } from '../core/lists.js';
import { dateAndTime, length } from '../core/format.js';
import { failed, toast, remove, stays } from '../core/actions.js';
import { on } from '../core/events.js';
import { may } from '../core/role.js';

const days = [['mon', 'Mon'], ['tue', 'Tue'], ['wed', 'Wed'], ['thu', 'Thu'], ['fri', 'Fri'], ['sat', 'Sat'], ['sun', 'Sun']];
const input = (type, name, more = {}) => h('input', { type, name, ...more });
const field = (text, control) => h('label', { class: 'field' }, text, control);
const two = (number) => String(number).padStart(2, '0');

/** What the form says, in the words of the API. */
function draft(form, chosen) {
  const values = new FormData(form);
  const text = (name) => String(values.get(name) ?? '').trim();
  const repeats = text('repeats');
  const body = { station: text('station'), action: text('action'), pad_before: Number(text('before')) * 60, pad_after: Number(text('after')) * 60, keep: values.get('keep') === 'on' };
  if (text('name')) body.name = text('name');
  body.at = repeats === 'once' ? `${text('date')} ${text('time')}` : text('time');
  if (repeats === 'weekly') body.weekly = [...chosen].join(',');
  if (repeats === 'daily') body.rule = 'FREQ=DAILY';
  if (repeats === 'rule') { body.rule = text('rule'); body.at = `${text('date')} ${text('time')}`; }
  const [fromHour, fromMinute] = text('time').split(':').map(Number);
  const [toHour, toMinute] = text('end').split(':').map(Number);
  const minutes = (toHour * 60 + toMinute - fromHour * 60 - fromMinute + 1440) % 1440;
  if (minutes) body.until = text('end'); else body.seconds = 86_400;
  return body;
}

/** The next dates of the form, worked out here while it is filled in. */
function nextDates(form, chosen) {
  const values = new FormData(form);
  const [hours, minutes] = String(values.get('time') ?? '').split(':').map(Number);
  if (!Number.isFinite(hours)) return [];
  const repeats = values.get('repeats');
  if (repeats === 'once' || repeats === 'rule') { const date = new Date(`${values.get('date')}T${values.get('time')}`); return Number.isNaN(date.getTime()) ? [] : [date]; }
  const found = [];
  for (let ahead = 0; ahead < 60 && found.length < 5; ahead += 1) {
    const date = new Date();
    date.setDate(date.getDate() + ahead);
    date.setHours(hours, minutes, 0, 0);
    const name = days[(date.getDay() + 6) % 7][0];
    if (date > new Date() && (repeats === 'daily' || chosen.has(name))) found.push(date);
  }
  return found;
}

function scheduleForm(search, reload) {
  const chosen = new Set(days.map(([id]) => id).filter((id) => id === search.get('day')));
  const now = new Date(Date.now() + 3_600_000);
  const station = input('text', 'station', { required: true, list: 'station-names', maxlength: '200', value: search.get('station') ?? get('player')?.station?.id ?? '', autocomplete: 'off' });
  const names = h('datalist', { id: 'station-names' });
  station.addEventListener('input', async () => { const { stations } = await api.get('stations' + query({ query: station.value, limit: 12 })).catch(() => ({ stations: [] })); names.replaceChildren(...stations.map((each) => h('option', { value: each.id }, each.name))); });
  const repeats = h('select', { name: 'repeats' }, [['once', 'Once'], ['daily', 'Every day'], ['weekly', 'On days of the week'], ['rule', 'By a rule (RRULE)']].map(([id, text]) => h('option', { value: id, selected: id === (search.get('repeats') ?? 'once') }, text)));
  const date = field('Date', input('date', 'date', { value: `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`, required: true }));
  const rule = field('Rule', input('text', 'rule', { placeholder: 'FREQ=MONTHLY;BYDAY=1SA' }));
  const week = h('div', { class: 'chips wrap', role: 'group', 'aria-label': 'Days' }, days.map(([id, text]) => h('button', { type: 'button', class: 'chip', 'aria-pressed': String(chosen.has(id)), onClick: (event) => { const isOn = !chosen.delete(id); if (isOn) chosen.add(id); event.currentTarget.setAttribute('aria-pressed', String(isOn)); show(); } }, text)));
  const preview = h('p', { class: 'preview', role: 'status' });
  const form = h('form', { class: 'stack gap schedule-form', data: { needs: 'operator' }, onSubmit: submit },
    h('div', { class: 'form' }, field('Station', station), field('Name of the show', input('text', 'name', { maxlength: '200', value: search.get('name') ?? '' })), field('Repeats', repeats), date, field('From', input('time', 'time', { value: search.get('from') ?? `${two(now.getHours())}:00`, required: true })), field('To', input('time', 'end', { value: search.get('to') ?? `${two((now.getHours() + 1) % 24)}:00`, required: true })), rule,
      field('What to do', h('select', { name: 'action' }, [['record', 'Record'], ['tracks', 'Record, a file per track too'], ['play', 'Play at the service']].map(([id, text]) => h('option', { value: id }, text)))), field('Minutes earlier', input('number', 'before', { min: '0', max: '120', value: '0' })), field('Minutes later', input('number', 'after', { min: '0', max: '240', value: '0' }))),
    week, h('label', { class: 'toggle' }, input('checkbox', 'keep'), h('span', {}, 'Never delete it by itself')), names, preview, h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'pill tinted' }, icon('calendar'), 'Add schedule')));

  function show() {
    const kind = repeats.value;
    date.hidden = kind !== 'once' && kind !== 'rule';
    rule.hidden = kind !== 'rule';
    week.hidden = kind !== 'weekly';
    const found = nextDates(form, chosen);
    setText(preview, found.length ? `Next: ${found.map((each) => each.toLocaleString(undefined, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })).join(' · ')}` : kind === 'weekly' ? 'Choose at least one day.' : '');
  }

  async function submit(event) {
    event.preventDefault();
    try {
      const made = await api.post('schedules', draft(form, chosen));
      toast(`Scheduled: ${made.name ?? made.station.name}.`, { kind: 'success', undo: async () => { await api.delete(address(made)).catch(failed); reload(); } });
      reload();
    } catch (error) { failed(error); }
  }
  form.addEventListener('input', show);
  requestAnimationFrame(show);
  return form;
}

const address = (entry) => `schedules/${seg(entry.id)}`;

function entries(found, reload) {
  const schedules = found.schedules.filter((entry) => stays(address(entry)));
  if (!schedules.length) return emptyState('calendar', 'No schedules yet', may('operator') ? 'The form above makes one.' : 'A paired browser makes them.');
  return h('ul', { class: 'plain-list' }, schedules.map((entry) => h('li', {}, icon('calendar'), h('span', { class: 'stack' }, h('strong', { class: 'one-line', dir: 'auto' }, entry.name ?? entry.station.name), h('small', {}, [entry.station.name, entry.problem ?? (entry.next ? `next ${dateAndTime(entry.next.start)}` : 'no more dates'), entry.rule].filter(Boolean).join(' · '))),
    h('label', { class: 'toggle' }, h('input', { type: 'checkbox', disabled: !may('operator'), checked: entry.enabled, 'aria-label': `${entry.name ?? entry.station.name} is on`, onChange: async (event) => { try { await api.put(address(entry), { enabled: event.target.checked }); } catch (error) { failed(error); reload(); } } })),
    iconButton('trash', `Remove ${entry.name ?? entry.station.name}`, () => remove(address(entry), `${entry.name ?? entry.station.name} is not scheduled any more.`, reload), { data: { needs: 'operator' } }))));
}

const missedRows = ({ occurrences }) => (occurrences.length ? h('ul', { class: 'plain-list' }, occurrences.map((each) => h('li', {}, icon('warning'), h('span', { class: 'stack' }, h('strong', { class: 'one-line' }, `${each.station?.name ?? each.schedule} · ${dateAndTime(each.start ?? each.at)}`), h('small', {}, each.reason ?? each.state))))) : h('p', { class: 'muted' }, 'Nothing was missed.'));

const comingRows = (found) => {
  const coming = found.coming.filter((each) => stays(`schedules/${seg(each.schedule)}`));
  return coming.length ? h('ul', { class: 'plain-list' }, coming.slice(0, 20).map((each) => h('li', {}, icon('clock'), h('span', { class: 'stack' }, h('strong', { class: 'one-line', dir: 'auto' }, each.name ?? each.station.name), h('small', { class: 'tabular' }, `${dateAndTime(each.start)}${each.end ? ` · ${length((Date.parse(each.end) - Date.parse(each.start)) / 1000)}` : ''}${each.clock !== 'plain' ? ` · the clocks change (${each.clock})` : ''}`))))) : h('p', { class: 'muted' }, 'Nothing in the next two weeks.');
};

export function screen({ search }) {
  const [list, next, missed] = [h('div', {}), h('div', {}), h('div', {})];
  const reload = () => {
    for (const part of [list, next, missed]) part.replaceChildren();
    fill(list, () => api.get('schedules'), (found) => entries(found, reload), { rows: 1 });
    fill(next, () => api.get('schedules/next'), comingRows, { rows: 1 });
    fill(missed, () => api.get('schedules/missed'), missedRows, { rows: 1 });
  };
  reload();
  const end = on('schedule', () => { if (list.isConnected) reload(); else end(); });
  const box = screenBox('Schedules', scheduleForm(search, reload), section('Schedules', list), section('Coming up', next), section('Missed', missed));
  box.dataset.side = 'recorded';
  return box;
}
