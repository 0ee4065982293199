// The sound in this browser: two elements, one for live and one for recordings, and the graph behind them that shows
// the real signal. It plays, stops and says what happens; what that means is the player's affair.
import { Arrivals } from './arrivals.js';

/** By what its style sheets know: names of single properties come and go. */
const isFirefox = CSS.supports('-moz-appearance', 'none');
/** In Firefox what is buffered grows as it arrives, too; in others it grows as it is taken apart, seconds later. */
const growsByArrival = isFirefox;
/** The service sends what it has every so many seconds. */
const batch = 0.25;

let context = null;
const graphs = new WeakMap();

/** Puts an element behind an analyser and a booster. Only within a click: browsers keep a context silent before one. */
function graph(element) {
  if (graphs.has(element)) return graphs.get(element);
  const AudioContext = window.AudioContext ?? window.webkitAudioContext;
  if (!AudioContext) return null;
  context ??= new AudioContext({ latencyHint: 'playback' });
  context.resume?.();
  if (context.state !== 'running') return null;
  const source = context.createMediaElementSource(element);
  const analyser = context.createAnalyser();
  analyser.fftSize = 256;
  analyser.smoothingTimeConstant = 0.6;
  const boost = context.createDynamicsCompressor();
  const gain = context.createGain();
  boost.threshold.value = 0;
  boost.ratio.value = 1;
  source.connect(boost).connect(gain).connect(analyser).connect(context.destination);
  const made = { analyser, boost, gain, bins: new Uint8Array(analyser.frequencyBinCount) };
  graphs.set(element, made);
  return made;
}

/** Seconds from the graph to the ear. Firefox holds its graph's lock while it asks the sound server: where the graph plays at that
 *  moment, each waits for the other, and the page stands still for good. */
const onItsWay = () => (isFirefox ? 0 : context?.outputLatency ?? 0);

/** Wakes the graph; called within a click. */
export function wakeSound() {
  const AudioContext = window.AudioContext ?? window.webkitAudioContext;
  if (!AudioContext) return;
  context ??= new AudioContext({ latencyHint: 'playback' });
  if (context.state === 'suspended') context.resume().catch(() => {});
}

// A context takes a moment to wake, in Firefox as long as its first output takes to open: the press of a button begins it, the
// release plays.
document.addEventListener('pointerdown', (event) => { if (event.target.closest?.('button, station-row')) wakeSound(); }, { capture: true });

/** Four levels of the real signal, 0 to 1, low to high; null where nothing sounds through the graph. */
export function levels(element) {
  const made = graphs.get(element);
  if (!made || context?.state !== 'running' || element.paused) return null;
  made.analyser.getByteFrequencyData(made.bins);
  const edges = [1, 3, 8, 22, 64];
  return edges.slice(0, 4).map((from, index) => {
    let sum = 0;
    for (let bin = from; bin < edges[index + 1]; bin += 1) sum += made.bins[bin];
    return sum / (edges[index + 1] - from) / 255;
  });
}

/** Evens out quiet voices, or not. */
export function setBoost(element, isOn) {
  const made = isOn ? graph(element) : graphs.get(element);
  if (!made) return;
  made.boost.threshold.value = isOn ? -40 : 0;
  made.boost.ratio.value = isOn ? 6 : 1;
  made.gain.gain.value = isOn ? 2 : 1;
}

/** Live sound: joined and left, never paused. Tells `phase` (`joining`, `live`, `stalled`, `failed`, `stopped`) and `arriving`. */
export class LiveSound {
  element = null;
  #tell;
  #station = null;
  /** Where the mount of what is open is, and how to ask for that. */
  #address = '';
  #addressed = null;
  #arrivals = new Arrivals();
  #edge = 0;
  #edgeAt = 0;
  #phase = 'stopped';
  #tries = 0;
  #retry = null;
  /** What was opened last has begun to sound. Events come late: one of what was closed says nothing of what is open. */
  #began = false;

  constructor(tell) {
    this.#tell = tell;
    this.#renew();
    setInterval(() => this.#look(), 60);
  }

  /** Another element, as loud as the one before. */
  #renew() {
    const element = new Audio();
    element.preload = 'none';
    element.volume = this.element?.volume ?? 1;
    this.element = element;
    const on = (name, react) => element.addEventListener(name, () => { if (this.#station && this.element === element) react(); });
    on('playing', () => { this.#tries = 0; this.#began = true; this.#say('live'); this.#graph(); });
    on('progress', () => this.#arrivals.came());
    // Some browsers wait before the first sound too: that is joining.
    on('waiting', () => { if (this.#began) this.#say('stalled'); });
    on('ended', () => this.#again('the station ended the stream'));
    on('error', () => this.#again('the stream could not be played'));
    // Nobody pauses a broadcast: where the browser or a headset does, that is leaving it.
    on('pause', () => { if (this.#began && element.paused && !element.ended && !element.error) this.#tell({ left: true }); });
  }

  get arriving() { return this.#phase !== 'stopped' && this.#arrivals.arriving; }

  /** Seconds ago that was broadcast what is heard now: what is buffered, how long ago the last of that came, and how long it waited for
   *  that at the service, which sends in batches; then what is on its way to the ear. */
  get lag() {
    const { buffered, currentTime } = this.element;
    if (!buffered.length) return 0;
    return Math.max(0, buffered.end(buffered.length - 1) - currentTime + (performance.now() - this.#edgeAt) / 1000) + batch / 2 + onItsWay();
  }

  /** `addressed` says where its mount is; it is asked anew for each try, as the service may not have said so at the first. */
  join(station, addressed) {
    clearTimeout(this.#retry);
    this.#station = station;
    this.#addressed = addressed;
    this.#tries = 0;
    this.#open();
  }

  /** What waits before it tries again tries now: whatever was in the way is gone. */
  retryNow() {
    if (!this.#station || this.#phase !== 'failed') return;
    clearTimeout(this.#retry);
    this.#open();
  }

  /** Leaves, and closes the connection at once. */
  leave() {
    clearTimeout(this.#retry);
    this.#station = null;
    this.#close();
    this.#say('stopped');
  }

  #open() {
    this.#close();
    this.#arrivals.begin(this.#station);
    this.#edge = 0;
    this.#say('joining');
    this.#address = this.#addressed();
    // What is behind the graph stays there.
    if (!this.#isOwn && graphs.has(this.element)) this.#renew();
    this.#graph();
    const { element } = this;
    // Another address each time, so that no cache answers with the past.
    element.src = `${this.#address}?at=${Date.now().toString(36)}`;
    element.play().catch((error) => {
      if (error.name === 'NotAllowedError') this.#tell({ left: true, reason: 'The browser wants a click before it plays.' });
    });
  }

  /** A mount on a port of its own is another origin's to the browser, which gives its graph nothing but silence. To ask for it as a
   *  script does would open the graph, and leave the cookie behind that a browser of the network is let in by. */
  #graph() { if (this.#isOwn) graph(this.element); }

  get #isOwn() { return this.#address.startsWith('/'); }

  #close() {
    this.#began = false;
    this.element.pause();
    this.element.removeAttribute('src');
    this.element.load();
  }

  #again(reason) {
    if (!this.#station) return;
    this.#tries += 1;
    const seconds = Math.min(30, 2 ** (this.#tries - 1));
    this.#tell({ phase: 'failed', reason, retryIn: seconds });
    this.#phase = 'failed';
    this.#arrivals.begin(null);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#station && this.#open(), seconds * 1000);
  }

  #look() {
    const { buffered } = this.element;
    const edge = buffered.length ? buffered.end(buffered.length - 1) : 0;
    if (edge > this.#edge) this.#edgeAt = performance.now();
    if (edge > this.#edge && growsByArrival) this.#arrivals.came();
    this.#edge = edge;
    this.#tell({ arriving: this.arriving, lag: this.lag });
  }

  #say(phase) {
    this.#phase = phase;
    this.#tell({ phase });
  }
}

/** A recording's sound: with position, speed and pause. */
export class RecordedSound {
  element = new Audio();
  #tell;
  /** Files that follow one another, `{address, start, seconds}`; most recordings are one. */
  #parts = [];
  #part = 0;
  /** Where to begin in what was opened, until its first bytes are here; from then on the element knows where it is. */
  #begin = null;

  constructor(tell) {
    // Events come late, and closing makes some of its own: what is closed tells nothing.
    this.#tell = (said) => { if (this.isOpen) tell(said); };
    const { element } = this;
    element.preload = 'metadata';
    element.preservesPitch = true;
    const say = (phase) => () => this.#tell({ phase, position: this.time });
    element.addEventListener('loadedmetadata', () => this.#arrive());
    element.addEventListener('playing', () => { graph(element); say('playing')(); });
    element.addEventListener('pause', () => { if (!element.ended) say('paused')(); });
    element.addEventListener('waiting', say('loading'));
    element.addEventListener('ended', () => {
      if (this.#part + 1 >= this.#parts.length) return this.#tell({ phase: 'ended', position: this.time });
      this.#open(this.#part + 1, this.#parts[this.#part + 1].start);
      element.play().catch(() => {});
    });
    element.addEventListener('seeked', () => this.#tell({ position: this.time }));
    element.addEventListener('timeupdate', () => this.#tell({ position: this.time }));
    element.addEventListener('durationchange', () => { if (this.#parts.length < 2 && Number.isFinite(element.duration)) this.#tell({ duration: element.duration }); });
    element.addEventListener('error', () => this.#tell({ phase: 'failed', address: element.getAttribute('src') }));
  }

  get isOpen() { return this.#parts.length > 0; }

  /** Seconds of the whole recording at which it is. */
  get time() { return this.#begin ?? this.#start + this.element.currentTime; }

  /** Where what was opened ends. */
  get end() { return this.#start + (this.element.duration || Infinity); }

  get #start() { return this.#parts[this.#part]?.start ?? 0; }

  load(parts, position, speed) {
    const { element } = this;
    graph(element);
    this.#parts = parts;
    this.#open(this.#partAt(position), position);
    this.speed = speed;
  }

  /** Of this file and of those that follow. */
  set speed(speed) {
    this.element.defaultPlaybackRate = speed;
    this.element.playbackRate = speed;
  }

  /** More is known of the files than when the first was opened. */
  split(parts) { this.#parts = parts; }

  seek(to, mustPlay = !this.element.paused || this.element.ended) {
    const part = this.#partAt(to);
    if (part !== this.#part) {
      this.#open(part, to);
      if (mustPlay) this.element.play().catch(() => {});
    } else if (this.#begin !== null) this.#begin = to;
    else this.element.currentTime = to - this.#start;
  }

  #partAt(position) { return Math.max(0, this.#parts.findLastIndex((each) => each.start <= position)); }

  /** Opens a file at a place of the whole. */
  #open(part, position) {
    this.#part = part;
    this.#begin = position;
    this.element.src = this.#parts[part].address;
  }

  #arrive() {
    if (this.#begin === null) return;
    const within = this.#begin - this.#start;
    this.#begin = null;
    if (within > 0) this.element.currentTime = within;
  }

  close() {
    this.#parts = [];
    this.#part = 0;
    this.#begin = null;
    this.element.pause();
    this.element.removeAttribute('src');
    this.element.load();
  }
}
