// The sleep timer: so many minutes, or the end of a chapter; here and at the service.
import { state } from './playing.js';

/** A timer with the moment at which it ends, where it is one of minutes; one that has such a moment keeps it. */
export const timed = (rule) => rule && { ...rule, ends: rule.ends ?? (rule.minutes ? Date.now() + rule.minutes * 60_000 : null) };

/** The timer of what is played from now on: the end of a chapter is one of its recording. */
export const sleepFor = (recording) => (state.sleep?.chapter && state.recording?.id !== recording?.id ? null : state.sleep ?? null);

/** What the service is asked to wait for; 0 would call the timer off, so that one whose moment is over has a moment left. */
export const secondsLeft = (sleep) => (sleep ? Math.max(0.1, (sleep.ends - Date.now()) / 1000) : 0);

/** The service's timer, also one that was set elsewhere: it can be called off here. */
export function sleepThere(said) {
  if (Number.isFinite(said.sleep_at)) return { chapter: said.sleep_at };
  if (!said.sleep_seconds) return null;
  const ends = Date.now() + said.sleep_seconds * 1000;
  const before = state.sleep;
  const whole = Math.round(said.sleep_seconds / 60);
  // One that was set elsewhere is no choice of this page, unless it is the same.
  const isOurs = before?.minutes && Math.abs((before.ends ?? ends) - ends) < 5000;
  const minutes = isOurs ? before.minutes : Math.abs(whole * 60 - said.sleep_seconds) < 2 ? whole : null;
  return { minutes, ends };
}

/** Whether it is time: the moment has come, or the recording at `position` has reached the chapter's end. */
export function isAsleep({ ends, chapter }, position) {
  return Boolean((ends && Date.now() >= ends) || (chapter && state.kind === 'recorded' && position >= chapter));
}
