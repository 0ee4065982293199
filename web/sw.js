// The shell without a network: the page's own files, and nothing of the stations' sound or the service's data.
const name = 'aircheck-shell';
const begin = ['/player/', '/player/app.js', '/player/styles/tokens.css', '/player/styles/base.css', '/player/styles/shell.css', '/player/styles/live.css', '/player/styles/recorded.css'];

self.addEventListener('install', (event) => event.waitUntil(caches.open(name).then((cache) => cache.addAll(begin)).then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// The modules of the first visit were fetched before this worker was in charge: the page says which they were.
self.addEventListener('message', (event) => {
  const files = [].concat(event.data?.files ?? []).filter((file) => new URL(file, location.href).pathname.startsWith('/player/') && new URL(file, location.href).origin === location.origin);
  event.waitUntil(caches.open(name).then((cache) => Promise.all(files.map(async (file) => { if (!(await cache.match(file))) await cache.add(file).catch(() => {}); }))));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== 'GET' || address.origin !== location.origin || !address.pathname.startsWith('/player/')) return;
  // The network first: a page of one version never meets parts of another.
  event.respondWith(fetch(request).then(async (answer) => {
    if (answer.ok && (request.mode !== 'navigate' || answer.headers.get('Content-Type')?.startsWith('text/html'))) (await caches.open(name)).put(key(request, address), answer.clone());
    return answer;
  }).catch(async () => (await (await caches.open(name)).match(key(request, address))) ?? Response.error()));
});

/** Every screen is the one page. */
const key = (request, address) => (request.mode === 'navigate' || !address.pathname.split('/').pop().includes('.') ? '/player/' : request);
