// The service worker: the page opens without a network, and says then that the server cannot be reached.
// It asks the server first and keeps what it answers, so nobody sees an old page. It never touches /api/.
// The server puts a line before this file: `self.page`, whose version changes with any file of the page.

/**
 * @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} Lasting
 * @typedef {Lasting & {request: Request, respondWith: (answer: Promise<Response>) => void}} Asked
 * @typedef {{page: {version: string, files: string[]}, location: Location, clients: {claim: () => Promise<void>}, skipWaiting: () => Promise<void>, addEventListener: (name: string, act: (event: any) => void) => void}} Scope
 */

const worker = /** @type {Scope} */ (/** @type {unknown} */ (self));
const CACHE = `tripot-${worker.page.version}`;

worker.addEventListener("install", (/** @type {Lasting} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(["/", ...worker.page.files])).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {Lasting} */ event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name.startsWith("tripot-") && name !== CACHE) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(old());
});

worker.addEventListener("fetch", (/** @type {Asked} */ event) => {
  const { request } = event;
  const address = new URL(request.url);
  const page = request.mode === "navigate" ? "/" : address.pathname.startsWith("/page/") ? address.pathname : null;
  if (request.method !== "GET" || address.origin !== worker.location.origin || !page || address.pathname.startsWith("/api/")) return;
  event.respondWith(fetch(request).catch(async () => (await caches.match(page)) ?? Response.error()));
});
