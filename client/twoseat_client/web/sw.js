/**
 * Keeps a copy of the page for when there is no network: then the rules can be read, and the line is tried again. It never
 * answers for the network while there is one, and keeps nothing of any game.
 */

const KEPT = 'twoseat';
const PAGE = ['/', '/web/app.css', ...['app', 'model', 'words', 'view', 'session', 'table'].map((name) => `/web/${name}.js`)];
/** Answers that are old as soon as they are given. */
const FRESH = /^\/(ws|healthz|readyz|metrics|replay|qr)\b/;
const worker = /** @type {any} */ (self);

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(PAGE)));
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  /** @type {Request} */
  const request = event.request;
  const { origin, pathname } = new URL(request.url);
  if (request.method === 'GET' && origin === location.origin && !FRESH.test(pathname)) event.respondWith(answer(request));
});

/** @param {Request} request */
async function answer(request) {
  const kept = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok && request.mode !== 'navigate') await kept.put(request, response.clone());
    return response;
  } catch {
    return await kept.match(request.mode === 'navigate' ? '/' : request, { ignoreVary: true }) ?? Response.error();
  }
}
