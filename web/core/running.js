// What is being recorded, by anybody: as the service says it, from its first word on.
import { get, set } from './store.js';
import { on } from './events.js';

const put = (change) => { const running = new Map(get('running') ?? []); change(running); set('running', running); };

on('hello', ({ recordings }) => set('running', new Map((recordings ?? []).map((each) => [each.id, each]))));
on('recording', (row) => put((running) => { if (row.state === 'recording') running.set(row.id, row); else running.delete(row.id); }));
on('recording-deleted', ({ id }) => put((running) => running.delete(id)));

/** The recordings of a station that run, the newest first. */
export const runningOf = (id) => [...(get('running') ?? new Map()).values()].filter((each) => each.station?.id === id).reverse();
