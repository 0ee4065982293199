// A ring that sweeps with progress, clockwise, without easing.
const space = 'http://www.w3.org/2000/svg';

/** A ring around a square picture; `set(part)` with 0 to 1. */
export function progressRing(className = '') {
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 100 100');
  svg.setAttribute('class', `ring ${className}`);
  svg.setAttribute('aria-hidden', 'true');
  const circle = (name) => {
    const made = document.createElementNS(space, 'circle');
    for (const [key, value] of [['cx', 50], ['cy', 50], ['r', 48.4], ['pathLength', 100], ['class', name]]) made.setAttribute(key, value);
    svg.append(made);
    return made;
  };
  circle('rest');
  const done = circle('done');
  svg.set = (part) => done.style.setProperty('stroke-dasharray', `${(Math.min(1, Math.max(0, part || 0)) * 100).toFixed(3)} 100`);
  svg.set(0);
  return svg;
}
