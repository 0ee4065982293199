// Schedules: a clear form with the dates it leads to, what comes, what was missed.
import { h, icon, iconButton } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { section, fill, screenBox, emptyState } from '../core/lists.js';
import { dateAndTime, length } from '../core/format.js';
import { failed, toast, remove, stays } from '../core/actions.js';
import { on } from '../core/events.js';
import { may } from '../core/role.js';
import { reading, isElsewhere } from '../core/schedules.js';
import { scheduleForm, newValues, valuesOf } from '../parts/schedule-form.js';

const address = (entry) => `schedules/${seg(entry.id)}`;
const called = (entry) => entry.name ?? entry.station.name;

/** Where it is, how often and when next; the time of its own clock where that is another than ours. */
function facts(entry) {
  const own = isElsewhere(entry.zone) ? `${entry.start.slice(11, 16)} in ${entry.zone}` : null;
  return [entry.station.name, reading(entry.rule).words, entry.problem ?? (entry.next ? `next ${dateAndTime(entry.next.start)}` : 'no more dates'), own].filter(Boolean).join(' · ');
}

function entries(found, reload, edit) {
  const schedules = found.schedules.filter((entry) => stays(address(entry)));
  if (!schedules.length) return emptyState('calendar', 'No schedules yet', may('operator') ? 'The form above makes one.' : 'A paired browser makes them.');
  const rest = async (entry, isOn) => { try { await api.put(address(entry), { enabled: isOn }); } catch (error) { failed(error); } reload(); };
  return h('ul', { class: 'plain-list schedules' }, schedules.map((entry) => h('li', { data: { key: entry.id } }, icon('calendar'), h('span', { class: 'stack' }, h('strong', { class: 'one-line', dir: 'auto' }, called(entry)), h('small', {}, facts(entry))),
    h('div', { class: 'controls' }, h('label', { class: 'toggle' }, h('input', { type: 'checkbox', disabled: !may('operator'), checked: entry.enabled, 'aria-label': `${called(entry)} is on`, onChange: (event) => rest(entry, event.target.checked) })),
    iconButton('pencil', `Change ${called(entry)}`, () => edit(entry), { className: 'round edit', data: { needs: 'operator' } }),
    iconButton('trash', `Remove ${called(entry)}`, () => remove(address(entry), `${called(entry)} is not scheduled any more.`, reload), { data: { needs: 'operator' } })))));
}

const missedRows = ({ occurrences }) => (occurrences.length ? h('ul', { class: 'plain-list' }, occurrences.map((each) => h('li', {}, icon('warning'), h('span', { class: 'stack' }, h('strong', { class: 'one-line' }, `${each.station?.name ?? each.schedule} · ${dateAndTime(each.start ?? each.at)}`), h('small', {}, each.reason ?? each.state))))) : h('p', { class: 'muted' }, 'Nothing was missed.'));

const comingRows = (found) => {
  const coming = found.coming.filter((each) => stays(`schedules/${seg(each.schedule)}`));
  return coming.length ? h('ul', { class: 'plain-list' }, coming.slice(0, 20).map((each) => h('li', {}, icon('clock'), h('span', { class: 'stack' }, h('strong', { class: 'one-line', dir: 'auto' }, each.name ?? each.station.name), h('small', { class: 'tabular' }, `${dateAndTime(each.start)}${each.end ? ` · ${length((Date.parse(each.end) - Date.parse(each.start)) / 1000)}` : ''}${each.clock !== 'plain' ? ` · the clocks change (${each.clock})` : ''}`))))) : h('p', { class: 'muted' }, 'Nothing in the next two weeks.');
};

/** When a schedule is, whole: of a part of it alone the service would keep the rest as it is now. */
function timesOf({ start, until, seconds, rule }) {
  const stamp = (text) => text.slice(0, 16).replace('T', ' ');
  return { at: stamp(start), rule: rule ?? '', ...(until ? { until: stamp(until) } : seconds === null ? {} : { seconds }) };
}

/** The form for a new schedule, in whose place one is changed. */
function forms(search, list, reload) {
  const place = h('div', {});
  const fresh = () => place.replaceChildren(scheduleForm(newValues(search), { save: add }));
  async function add(body) {
    const made = await api.post('schedules', body);
    toast(`Scheduled: ${called(made)}.`, { kind: 'success', undo: async () => { await api.delete(address(made)).catch(failed); reload(); } });
    reload();
  }
  function edit(entry) {
    const done = () => { fresh(); list.querySelector(`[data-key="${CSS.escape(entry.id)}"] .edit`)?.focus(); };
    const save = async (body, before) => {
      const old = { ...before, until: undefined, seconds: undefined, ...timesOf(entry) };
      const made = await api.put(address(entry), body);
      toast(`Changed: ${called(made)}.`, { kind: 'success', undo: () => api.put(address(entry), old).then(reload, failed) });
      done();
      reload();
    };
    place.replaceChildren(scheduleForm(valuesOf(entry), { save, cancel: done }));
    place.querySelector('input').focus();
  }
  fresh();
  return { place, edit };
}

export function screen({ search }) {
  const [list, next, missed] = [h('div', {}), h('div', {}), h('div', {})];
  const reload = () => {
    fill(list, () => api.get('schedules'), (found) => entries(found, reload, edit), { rows: 1 });
    fill(next, () => api.get('schedules/next'), comingRows, { rows: 1 });
    fill(missed, () => api.get('schedules/missed'), missedRows, { rows: 1 });
  };
  const { place, edit } = forms(search, list, reload);
  reload();
  for (const name of ['schedule', 'schedules', 'again']) { const end = on(name, () => { if (list.isConnected) reload(); else end(); }); }
  const box = screenBox('Schedules', place, section('Schedules', list), section('Coming up', next), section('Missed', missed));
  box.dataset.side = 'recorded';
  return box;
}
