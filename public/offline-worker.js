// Shows a page of our own where the browser would show its own: when a page is asked for and nobody answers.
const PAGE = '/offline.html';

self.addEventListener('install', event => {
  event.waitUntil(caches.open('offline').then(cache => cache.add(new Request(PAGE, { cache: 'reload' }))));
});

self.addEventListener('fetch', event => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
});

// A notification leads to its page: in a tab that is there already, else in a new one.
self.addEventListener('notificationclick', event => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data.href));
});

async function lead(href) {
  const [tab] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!tab) return self.clients.openWindow(href);
  await tab.focus();
  // a worker leads no tab that it did not open with
  await tab.navigate(href).catch(() => self.clients.openWindow(href));
}
