// A one-time code becomes a session: a cookie that no script can read.
import { api } from './api.js';
import { set } from './store.js';

/** What to call this browser where the person does not say. */
export function deviceName() {
  const agent = navigator.userAgent;
  const browser = /Firefox/.test(agent) ? 'Firefox' : /Edg\//.test(agent) ? 'Edge' : /Chrome/.test(agent) ? 'Chrome' : /Safari/.test(agent) ? 'Safari' : 'browser';
  const system = /Android/.test(agent) ? 'Android' : /iPhone|iPad/.test(agent) ? 'iOS' : /Windows/.test(agent) ? 'Windows' : /Mac/.test(agent) ? 'Mac' : 'Linux';
  return `${browser} on ${system}`;
}

export async function pair(code, name = deviceName()) {
  try {
    const session = await api.post('session', { code, name });
    set('session', session);
    document.dispatchEvent(new CustomEvent('session-changed'));
    set('toast', { text: `This browser is paired as ${session.role}.`, kind: 'success' });
    return true;
  } catch (error) {
    set('toast', { text: error.message, remedy: error.remedy, kind: 'error' });
    return false;
  }
}
