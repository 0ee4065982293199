// Making a filter: rules over state, kind, station, date and length; one of twelve colours, an icon.
import { h, icon } from '../core/dom.js';
import { api, seg } from '../core/api.js';
import { get } from '../core/store.js';
import { go } from '../core/router.js';
import { failed, toast } from '../core/actions.js';
import { swatches } from '../core/recordings.js';

const icons = ['star', 'clock', 'moon', 'radio', 'bookmark', 'calendar', 'heart', 'car'];

const select = (name, options, value) => h('select', { name }, options.map(([id, text]) => h('option', { value: id, selected: id === String(value ?? '') }, text)));

export function sheet({ filter = null }, close) {
  const rules = filter?.rules ?? {};
  const stations = [...new Map((get('recordings') ?? []).map((row) => [row.station.id, row.station.name]))];
  const name = h('input', { type: 'text', name: 'name', required: true, maxlength: '60', value: filter?.name ?? '', autofocus: !filter });
  const fields = {
    state: select('state', [['', 'Any'], ['new', 'New'], ['unfinished', 'In progress'], ['finished', 'Played'], ['starred', 'Starred'], ['archived', 'Archived'], ['downloaded', 'Downloaded'], ['gaps', 'With gaps']], rules.state),
    type: select('type', [['', 'Any'], ['music', 'Music'], ['talk', 'Talk']], rules.type),
    station: select('station', [['', 'Any'], ...stations], rules.station),
    since: select('since', [['', 'Any time'], ['1', 'Last day'], ['7', 'Last week'], ['31', 'Last month'], ['366', 'Last year']], rules.since),
    longer: select('longer', [['', 'Any'], ['5', '5 min'], ['20', '20 min'], ['60', '1 h'], ['120', '2 h']], rules.longer),
    shorter: select('shorter', [['', 'Any'], ['5', '5 min'], ['20', '20 min'], ['60', '1 h'], ['120', '2 h']], rules.shorter),
  };
  const radio = (group, value, content, isOn, label) => h('label', { class: 'swatch', title: label }, h('input', { type: 'radio', name: group, value: String(value), checked: isOn, 'aria-label': label }), content);
  const colours = h('div', { class: 'swatches', role: 'radiogroup', 'aria-label': 'Colour' }, swatches.map((colour, index) => radio('colour', index + 1, h('i', { style: { background: colour } }), index + 1 === (filter?.colour ?? 8), `Colour ${index + 1}`)));
  const pictures = h('div', { class: 'swatches', role: 'radiogroup', 'aria-label': 'Icon' }, icons.map((each) => radio('icon', each, h('i', {}, icon(each)), each === (filter?.icon ?? 'star'), each)));
  const form = h('form', { class: 'stack gap', onSubmit: async (event) => {
    event.preventDefault();
    const values = new FormData(form);
    const made = Object.fromEntries(Object.keys(fields).map((key) => [key, values.get(key)]).filter(([, value]) => value).map(([key, value]) => [key, /^\d+$/.test(value) && key !== 'station' ? Number(value) : value]));
    const id = filter?.id ?? `f${Date.now().toString(36)}`;
    try {
      await api.put(`filters/${seg(id)}`, { name: name.value, colour: Number(values.get('colour') ?? 1), icon: values.get('icon') ?? 'star', rules: made });
      close();
      go(`/recordings/filter/${seg(id)}`);
    } catch (error) { failed(error); }
  } }, h('label', { class: 'field' }, 'Name', name), h('div', { class: 'form' }, [['state', 'State'], ['type', 'Kind'], ['station', 'Station'], ['since', 'Recorded'], ['longer', 'At least'], ['shorter', 'At most']].map(([key, text]) => h('label', { class: 'field' }, text, fields[key]))), colours, pictures,
  h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'pill tinted' }, filter ? 'Save' : 'Make filter'),
    filter ? h('button', { type: 'button', class: 'pill outline', onClick: async () => { try { await api.delete(`filters/${seg(filter.id)}`); close(); toast(`${filter.name} is gone.`, { undo: () => api.put(`filters/${seg(filter.id)}`, { name: filter.name, colour: filter.colour, icon: filter.icon, rules: filter.rules }).then(() => go(`/recordings/filter/${seg(filter.id)}`), failed) }); go('/recordings', { replace: true }); } catch (error) { failed(error); } } }, 'Delete') : null));
  return { title: filter ? 'Change filter' : 'New filter', content: form };
}
