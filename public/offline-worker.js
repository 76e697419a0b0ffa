// Shows a page of our own where the browser would show its own: when a page is asked for and nobody answers.
const PAGE = '/offline.html';

self.addEventListener('install', event => {
  event.waitUntil(caches.open('offline').then(cache => cache.add(new Request(PAGE, { cache: 'reload' }))));
});

self.addEventListener('fetch', event => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
});
