// The house's own filters, as the service keeps them and as the events change them.
import { api } from './api.js';
import { get, set } from './store.js';
import { on } from './events.js';

export async function ownFilters() {
  try { set('filters', (await api.get('filters')).filters); } catch { /* what was known before is better than nothing */ }
  return get('filters') ?? [];
}

on('filters', ({ filters }) => set('filters', filters));
on('again', () => { if (get('filters')) ownFilters(); });
