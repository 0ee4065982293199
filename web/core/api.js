// Talks to the service. Every answer is data; every refusal is an ApiError that says what to do.
import { may } from './role.js';

export class ApiError extends Error {
  constructor(status, body) {
    const error = body?.error ?? {};
    super(error.message ?? (status ? `The service answered ${status}.` : 'The service cannot be reached.'));
    this.status = status;
    this.code = error.code ?? '';
    this.remedy = error.remedy ?? '';
  }
}

const root = '/api/v1/';

async function call(method, path, body, { quiet = false, keepalive = false, headers = {} } = {}) {
  let response;
  try {
    response = await fetch(root + path, {
      method,
      headers: method === 'GET' ? headers : { 'Content-Type': 'application/json' },
      body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
      credentials: 'same-origin',
      keepalive,
    });
  } catch { throw new ApiError(0, null); }
  if (response.status === 204) return null;
  let data = null;
  try { data = await response.json(); } catch { /* an answer without a body */ }
  if (!response.ok) {
    if (!quiet && (response.status === 401 || response.status === 403)) document.dispatchEvent(new CustomEvent('needs-pairing'));
    throw new ApiError(response.status, data);
  }
  return data;
}

/** `station/{id}` with whatever an id may hold. */
export const seg = encodeURIComponent;

/** `?a=1&b=2`, without what is not set. */
export function query(values) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  return set.length ? '?' + new URLSearchParams(set.map(([key, value]) => [key, String(value)])) : '';
}

export const api = {
  get: (path) => call('GET', path),
  /** As `get`, where a refusal is an answer like any other and no reason to offer pairing. */
  peek: (path) => call('GET', path, undefined, { quiet: true }),
  /** Why a file is refused, asked by its first byte; null where it is not. */
  refusal: (address) => call('GET', address.slice(root.length), undefined, { quiet: true, headers: { Range: 'bytes=0-0' } }).then(() => null, (error) => error),
  post: (path, body) => call('POST', path, body),
  put: (path, body) => call('PUT', path, body),
  delete: (path, body) => call('DELETE', path, body),
  /** Deletes while the page goes away: the browser sends it all the same. */
  deleteLast: (path) => call('DELETE', path, undefined, { quiet: true, keepalive: true }).catch(() => null),
  /** Asks for what every viewer may have and nobody waits for. */
  hint: (method, path, body) => call(method, path, body, { quiet: true }).catch(() => null),
  /** Tells the service something that nobody asked for: a position, a play. Whoever may not say it does not; nobody is bothered. */
  tell: (method, path, body, options) => (may('operator') ? call(method, path, body, { quiet: true, ...options }).catch(() => null) : Promise.resolve(null)),
};
