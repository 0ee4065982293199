// Trimmed silence and boost of the recording that sounds here.
import { api, seg } from './api.js';
import { setBoost } from './here.js';
import { trimmed } from './heard-hours.js';
import { state, recorded } from './playing.js';
import { kept } from './store.js';

/** Spans of silence of the recording that plays, `[from, to]` in seconds, as the service measured them. */
let silences = [];
const keepOfSilence = { mild: 0.8, medium: 0.45, max: 0.15 };

/** For the recording that was opened just now, or after another choice. */
export function applyEffects() {
  const effects = kept.get('effects', { trim: 'off', boost: false });
  if (effects.boost || state.effects?.boost) setBoost(recorded.element, effects.boost);
  silences = [];
  const { recording } = state;
  if (effects.trim === 'off' || !recording) return;
  api.get(`recordings/${seg(recording.id)}`).then((detail) => {
    if (state.recording?.id === recording.id) silences = detail.silences ?? [];
  }, () => {});
}

/** Leaps over the silence that it is in. */
export function trim() {
  const effects = kept.get('effects', { trim: 'off' });
  if (effects.trim === 'off' || state.phase !== 'playing' || !silences.length) return;
  const keep = keepOfSilence[effects.trim] ?? keepOfSilence.mild;
  const at = recorded.time;
  const span = silences.find(([from, to]) => at >= from + keep / 2 && at < to - keep / 2 - 0.05);
  if (!span) return;
  const to = span[1] - keep / 2;
  trimmed((to - at) / (state.speed || 1));
  recorded.seek(to);
}
