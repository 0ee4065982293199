// The play control in a cell: an icon and a timer. The icon is the only thing that plays; the timer tells how long it is,
// where it is, or what is left. One state with the mini-player, also across tabs.
import { h, iconButton, setButton, setText } from '../core/dom.js';
import { Part, get } from '../core/store.js';
import { player, position, isRecording, isLive, isSounding, isTuned, isFinished } from '../core/player.js';
import { warmOn, drawn } from '../core/warm.js';
import { clock, left } from '../core/format.js';
import { isPlayable, isBeingWritten, title } from '../core/recordings.js';

class PlayCell extends Part {
  /** A recording, or a station. */
  recording = null;
  station = null;
  list = null;

  connectedCallback() {
    this.timer = h('span', { class: 'timer tabular' });
    this.button = iconButton('play', 'Play', () => this.#press(), { className: 'cell-icon' });
    if (this.station) { warmOn(this.button, () => this.station); drawn(this.station); }
    this.replaceChildren(this.button, this.timer);
    this.follows('player', () => this.#show(), { now: false });
    this.follows('marked', (change) => { if (change?.id === this.recording?.id) { this.recording.listening = change.listening; this.#show(); } }, { now: false });
    this.follows('recording-row', (row) => { if (row.id === this.recording?.id) { Object.assign(this.recording, row); this.#show(); } }, { now: false });
    this.atEnd(() => this.#beat(false));
    this.#show();
  }

  #ticking = 0;

  /** The one that plays looks at the clock, no other. */
  #beat(isOn) {
    if (isOn === Boolean(this.#ticking)) return;
    if (isOn) this.#ticking = setInterval(() => this.#show(), 250);
    else { clearInterval(this.#ticking); this.#ticking = 0; }
  }

  get isActive() { return this.station ? isLive(this.station.id) : isRecording(this.recording.id); }

  #press() {
    if (this.station) { if (isTuned(this.station.id)) player.stop(); else player.tune(this.station, this.list); return; }
    if (this.isActive) { if (isSounding()) player.pause(); else player.resume(); } else player.listen(this.recording, null);
  }

  #show() {
    if (this.station) return this.#showStation();
    const { recording } = this;
    const can = isPlayable(recording) && !(this.isActive && get('player').phase === 'failed');
    const sounds = this.isActive && isSounding();
    this.#beat(sounds);
    this.button.disabled = !can;
    this.toggleAttribute('unavailable', !can);
    this.toggleAttribute('playing', sounds);
    setButton(this.button, sounds ? 'pause' : 'play', can ? `${sounds ? 'Pause' : 'Play'} ${title(recording)}` : `${title(recording)} ${isBeingWritten(recording) ? 'is still being recorded' : 'cannot be played'}`);
    setText(this.timer, this.#time(can));
  }

  #time(can) {
    const { seconds, listening } = this.recording;
    const total = seconds > 0 ? clock(seconds) : '--:--';
    if (!can) return total;
    if (this.isActive) {
      const at = position();
      return !isSounding() && isFinished(at, seconds) ? total : clock(at);
    }
    if (listening?.position > 0 && !listening.finished && !isFinished(listening.position, seconds)) return left(seconds - listening.position);
    return total;
  }

  #showStation() {
    const sounds = isTuned(this.station.id);
    this.toggleAttribute('playing', sounds);
    this.toggleAttribute('live', true);
    setButton(this.button, sounds ? 'stop' : 'play', sounds ? `Stop ${this.station.name}` : `Listen to ${this.station.name}`);
    setText(this.timer, 'LIVE');
  }
}
customElements.define('play-cell', PlayCell);

/** The control for a recording; `variant` is `media` (on a picture) or `row`. */
export function playCell(recording, variant = 'row') {
  const cell = Object.assign(document.createElement('play-cell'), { recording });
  cell.setAttribute('variant', variant);
  return cell;
}

export function stationCell(station, list, variant = 'media') {
  const cell = Object.assign(document.createElement('play-cell'), { station, list });
  cell.setAttribute('variant', variant);
  return cell;
}
