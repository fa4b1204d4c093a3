// Keeps the hashed files of this build, the document of the user area, and a page for when there is no network. It never
// touches the API: the app itself keeps the last known figures and shows their age (web/shared/api/kept-replies.ts). The
// build fills in the version and the list of files.
const CACHE = 'wellplay-__VERSION__'
const OFFLINE = ['/offline.html', '/offline.css', '/icon.svg']
const FILES = new Set(__FILES__)
/** The documents of the user area differ only in what they preload, and have no data of the user. */
const USER_AREA = '/user/home'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(OFFLINE)))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
  )
})

// A new version waits until the visitor asks for it, so that no page changes under their hands.
self.addEventListener('message', (event) => {
  if (event.data === 'activate') self.skipWaiting()
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || pathname.startsWith('/api')) return
  if (request.mode === 'navigate') event.respondWith(openPage(request, pathname))
  else if (FILES.has(pathname)) event.respondWith(fromCacheFirst(request))
  else if (OFFLINE.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(request)))
})

async function openPage(request, pathname) {
  const isUserArea = pathname.startsWith('/user/')
  const cache = await caches.open(CACHE)
  try {
    const reply = await fetch(request)
    if (isUserArea && reply.ok) await keepDocument(cache, reply.clone())
    return reply
  } catch {
    return (isUserArea && (await cache.match(USER_AREA))) || (await cache.match('/offline.html'))
  }
}

/** Not the document of a newer build, whose files this worker does not keep: it would be an empty page offline. */
async function keepDocument(cache, reply) {
  const files = (await reply.clone().text()).match(/\/assets\/[\w.-]+/g) ?? []
  if (files.every((file) => FILES.has(file))) await cache.put(USER_AREA, reply)
}

async function fromCacheFirst(request) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
  const reply = await fetch(request)
  if (reply.ok) await cache.put(request, reply.clone())
  return reply
}

// A message of the news (server/features/news/push.ts). The tag is the id of the news, so a message that was sent again
// replaces the first one.
self.addEventListener('push', (event) => {
  const { id, title, text, link } = event.data.json()
  const options = { body: text, tag: id, icon: '/icon-192.png', badge: '/icon-192.png', data: { link } }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openLink(event.notification.data.link))
})

/** In a page that is open, if there is one. */
async function openLink(link) {
  const url = new URL(link, self.location.origin)
  if (url.origin !== self.location.origin) return
  const [page] = await self.clients.matchAll({ type: 'window' })
  if (!page) return self.clients.openWindow(url.href)
  await page.focus()
  await page.navigate(url.href)
}
