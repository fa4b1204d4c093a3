import { createServer, type Server, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'

test.use({ serviceWorkers: 'allow' })

/** A proxy in front of the product that can serve a new version of the service worker. */
async function startRelease(product: string): Promise<{ url: string; release(): void; server: Server }> {
  let suffix = ''
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming
    // Ask for full, uncompressed replies, so that text can be appended to them.
    const { 'accept-encoding': _encoding, 'if-none-match': _tag, 'if-modified-since': _time, ...plain } = headers
    const forwarded = sendRequest(new URL(url, product), { method, headers: plain }, (reply) => {
      const { 'content-length': _length, ...replyHeaders } = reply.headers
      outgoing.writeHead(reply.statusCode ?? 502, replyHeaders)
      reply.on('end', () => outgoing.end(url === '/sw.js' ? suffix : ''))
      reply.pipe(outgoing, { end: false })
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  function release(): void {
    suffix = '\n// the next version\n'
  }
  return { url: `http://localhost:${port}`, server, release }
}

test('a new version is offered and only takes over when the user loads it', async ({ page, baseURL }) => {
  const { url, release, server } = await startRelease(baseURL ?? '')
  try {
    await page.goto(url)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
    await page.reload()
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const offer = page.getByRole('status').filter({ hasText: 'A new version is ready.' })
    await expect(offer).toHaveCount(0)

    release()
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()))
    await expect(offer).toBeVisible()
    const waiting = () => page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting))
    expect(await waiting()).toBe(true)

    const reloaded = page.waitForEvent('load')
    await offer.getByRole('button', { name: 'Update now' }).click()
    await reloaded
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForFunction(async () => !(await navigator.serviceWorker.getRegistration())?.waiting)
    await expect(offer).toHaveCount(0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
