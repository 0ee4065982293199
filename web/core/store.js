// What the page knows, as named values that can be watched. One place, so that two parts never disagree.
const values = new Map();
const watchers = new Map();

export function get(name) { return values.get(name); }

/** Sets a value and tells whoever watches it. */
export function set(name, value) {
  values.set(name, value);
  for (const watcher of [...(watchers.get(name) ?? [])]) watcher(value);
}

/** Calls back now (where there is a value) and at each change; gives back what ends it. */
export function watch(name, callback, { now = true } = {}) {
  if (!watchers.has(name)) watchers.set(name, new Set());
  watchers.get(name).add(callback);
  if (now && values.has(name)) callback(values.get(name));
  return () => watchers.get(name).delete(callback);
}

/** A custom element that lets go of what it watched when it leaves the page. */
export class Part extends HTMLElement {
  #ends = [];

  /** Watches a value for as long as this element is in the page. */
  follows(name, callback, options) { this.#ends.push(watch(name, callback, options)); }

  /** Does something when the element leaves. */
  atEnd(callback) { this.#ends.push(callback); }

  disconnectedCallback() {
    for (const end of this.#ends.splice(0)) end();
  }
}

/** A value kept by this browser. */
export const kept = {
  get(name, fallback) {
    try { return JSON.parse(localStorage.getItem(`aircheck.${name}`)) ?? fallback; } catch { return fallback; }
  },
  set(name, value) {
    try { localStorage.setItem(`aircheck.${name}`, JSON.stringify(value)); } catch { /* a browser that keeps nothing */ }
  },
};
