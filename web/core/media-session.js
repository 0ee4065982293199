// The media keys and the lock screen. Live offers stop, next and previous only; recordings can be sought.
import { watch, get } from './store.js';
import { player, position, isSounding } from './player.js';
import { airing } from './format.js';
import { artworkNow, artworkOf, pictureOf } from './artwork.js';

const session = navigator.mediaSession;

function handle(action, callback) {
  try { session.setActionHandler(action, callback); } catch { /* an action this browser does not know */ }
}

/** The picture of a recording's station, once it is known. */
let cover = {};
function coverOf(recording) {
  if (cover.id !== recording.id) {
    const mine = cover = { id: recording.id, address: null };
    pictureOf(recording.station).then((address) => { mine.address = address; if (address && cover === mine) show(); });
  }
  return cover.address;
}

function show() {
  const state = get('player');
  if (!state || state.kind === 'none') {
    session.metadata = null;
    session.playbackState = 'none';
    return;
  }
  const isLive = state.kind === 'live';
  const heard = get('heard');
  const picture = isLive ? artworkNow(state.station, heard?.station === state.station.id ? heard : null) ?? artworkOf(state.station) : coverOf(state.recording);
  session.metadata = new MediaMetadata({
    title: isLive ? airing(heard) || state.station.name : state.recording.show || state.recording.station.name,
    artist: isLive ? state.station.name : state.recording.station.name,
    album: isLive ? 'Live radio' : 'aircheck recordings',
    artwork: [picture && { src: picture }, { src: '/player/icons/mark-512.png', sizes: '512x512', type: 'image/png' }].filter(Boolean),
  });
  session.playbackState = isSounding() ? 'playing' : isLive ? 'none' : 'paused';
  handle('play', () => (isLive ? player.tune(state.station, null) : player.resume()));
  // Nobody pauses a broadcast.
  handle('pause', () => (isLive ? player.stop() : player.pause()));
  handle('stop', () => (isLive ? player.stop() : player.close()));
  handle('nexttrack', () => player.next());
  handle('previoustrack', () => player.previous());
  handle('seekbackward', isLive ? null : () => player.skip(-30));
  handle('seekforward', isLive ? null : () => player.skip(30));
  handle('seekto', isLive ? null : (details) => player.seek(details.seekTime));
  try {
    if (isLive) session.setPositionState?.();
    else if (state.duration > 0) session.setPositionState?.({ duration: state.duration, position: Math.min(position(), state.duration), playbackRate: state.speed || 1 });
  } catch { /* a length that is not known yet */ }
}

if (session) {
  let shown = '';
  watch('player', (state) => {
    // The position needs no telling four times a second.
    const now = [state.kind, state.phase, state.station?.id, state.recording?.id, state.speed, Math.floor((state.position ?? 0) / 15)].join();
    if (now !== shown) { shown = now; show(); }
  });
  watch('heard', show);
}
