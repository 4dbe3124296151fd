// The service worker shows push messages, and does nothing else: it answers no request and keeps no page.

self.addEventListener('push', event => {
  const { title, path, tag } = event.data.json()
  event.waitUntil(self.registration.showNotification(title, { tag, icon: '/favicon.svg', data: { path } }))
})

self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data.path, self.location.origin)))
})

// The server signs messages, and yet a path must not lead to another site.
async function open(url) {
  if (url.origin !== self.location.origin) return
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = pages.find(page => page.url === url.href)
  if (shown) await shown.focus()
  else await self.clients.openWindow(url.href)
}
