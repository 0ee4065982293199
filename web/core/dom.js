// Makes elements. Text goes in as text, always: nothing here, or anywhere in the page, turns a string into markup.
import { paths } from './icons.js';

/** An element with properties, attributes, listeners and children. `null`, `false` and `undefined` children are left out. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2).toLowerCase(), value);
    else if (key === 'class') element.className = value;
    else if (key === 'data') Object.assign(element.dataset, value);
    else if (key === 'style') for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
    else if (key in element && typeof value !== 'string' && key !== 'list') element[key] = value;
    else if (key === 'value') element.value = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const svgSpace = 'http://www.w3.org/2000/svg';

const drawn = new Map();

/** One of our own pictograms, hidden from assistive programs: the button that holds it has the name. */
export function icon(name, { solid = false, label = '' } = {}) {
  const key = `${name}${solid}`;
  if (!drawn.has(key)) drawn.set(key, draw(name, solid));
  const svg = drawn.get(key).cloneNode(true);
  if (label) { svg.setAttribute('role', 'img'); svg.setAttribute('aria-label', label); svg.removeAttribute('aria-hidden'); }
  return svg;
}

function draw(name, solid) {
  const svg = document.createElementNS(svgSpace, 'svg');
  const { d, fill, text } = paths[name] ?? paths.mark;
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon${solid || fill ? ' solid' : ''}`);
  svg.setAttribute('aria-hidden', 'true');
  for (const part of [d].flat()) {
    const path = document.createElementNS(svgSpace, 'path');
    path.setAttribute('d', part);
    svg.append(path);
  }
  if (text) {
    const words = document.createElementNS(svgSpace, 'text');
    words.setAttribute('x', '12');
    words.setAttribute('y', '15.4');
    words.textContent = text;
    svg.append(words);
  }
  return svg;
}

/** A button that shows a pictogram and says its name. */
export function iconButton(name, label, onClick, { className = 'round', solid = false, ...rest } = {}) {
  return h('button', { type: 'button', class: className, 'aria-label': label, title: label, onClick, ...rest }, icon(name, { solid }));
}

/** Changes a button's pictogram and name. */
export function setButton(button, name, label, { solid = false } = {}) {
  if (button.dataset.icon === `${name}${solid}` && button.getAttribute('aria-label') === label) return;
  button.dataset.icon = `${name}${solid}`;
  button.replaceChildren(icon(name, { solid }));
  button.setAttribute('aria-label', label);
  button.title = label;
}

/** Sets text only where it is another: the page stays still while nothing changes. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const controlsOf = (part) => [...part.querySelectorAll('a[href], button, input, select, textarea')].filter((each) => !each.disabled && each.checkVisibility());

/** Which control of a part has the focus; -1 is the part itself. */
export const heldIn = (part) => controlsOf(part).indexOf(document.activeElement);

/** Gives the focus to the control of a part that stands where another stood; where there is none, to what stands above all. */
export function focusIn(part, place) {
  const found = part ? controlsOf(part) : [];
  const control = place < 0 ? part : found[place] ?? found.at(-1);
  (control ?? document.querySelector('dialog[open] button') ?? document.querySelector('main h1'))?.focus({ preventScroll: true });
}

/** Draws a part anew. The focus stays in its row, known by `data-key`, and goes to the neighbour of one that is gone. */
export function renew(box, ...content) {
  const held = box.contains(document.activeElement) ? document.activeElement : null;
  const row = held?.closest('[data-key]') ?? box;
  const rows = () => [...box.querySelectorAll('[data-key]')];
  const [place, at] = [heldIn(row), rows().indexOf(row)];
  box.replaceChildren(...content);
  if (!held || document.activeElement === held) return;
  if (held.isConnected) return held.focus({ preventScroll: true });
  if (row === box) return focusIn(box, place);
  const now = rows();
  focusIn(now.find((each) => each.dataset.key === row.dataset.key) ?? now[Math.min(at, now.length - 1)], place);
}

/** Does something once a part of a screen has left the page with it. */
export function whenLeft(element, callback) {
  requestAnimationFrame(() => {
    const left = new MutationObserver(() => { if (!element.isConnected) { left.disconnect(); callback(); } });
    left.observe(document.getElementById('screen'), { childList: true });
  });
}

export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A link only where it leads to the web; an address from a stream may be anything. */
export function safeLink(address) {
  try {
    const url = new URL(address);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch { return null; }
}
