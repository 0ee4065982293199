// How loud it is: one volume for both sounds, the other tabs, and the service where the sound is there.
import { failed } from './actions.js';
import { api } from './api.js';
import { kept, set } from './store.js';
import { state, channel, live, recorded } from './playing.js';

let volume = kept.get('volume', 100);

function become(percent) {
  volume = percent;
  set('volume', volume);
  for (const { element } of [live, recorded]) element.volume = volume / 100;
}

/** Chosen on this page, in percent; `tell` hands the service's answer on. */
export function setVolume(percent, tell) {
  become(Math.min(100, Math.max(0, Math.round(percent))));
  kept.set('volume', volume);
  if (state.where === 'there') tellVolume(tell);
  else channel.postMessage({ type: 'volume', volume });
}

/** As another tab or the service says. While a word of ours is on its way to the service, what that says is older. */
export function volumeIs(percent) { if (Number.isFinite(percent) && !isTelling) become(percent); }

let isTelling = false;

/** One word after the other, the last one at the end, however quickly a slider moves. */
async function tellVolume(tell) {
  if (isTelling) return;
  isTelling = true;
  let told, said;
  do {
    told = volume;
    said = await api.put('player/volume', { percent: told }).catch((error) => void failed(error));
  } while (told !== volume && state.where === 'there');
  isTelling = false;
  if (said) tell(said);
}

become(volume);
