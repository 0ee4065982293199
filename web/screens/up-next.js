// Up Next, as a screen.
import { screenBox } from '../core/lists.js';
import { queueList } from '../sheets/queue.js';

export function screen() {
  const box = screenBox('Up Next', queueList());
  box.dataset.side = 'recorded';
  return box;
}
