import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shares } from '../../protocol/shares.ts'
import { dayOf } from '../../protocol/time.ts'
import { createHttp, type Http } from '../platform/http.ts'
import { type FirstPaints, serveWeb } from '../platform/web.ts'
import { aUser, createTestApi, PUBLIC_URL, type TestApi } from '../testing/api.ts'
import { pageTags } from './page-tags.ts'

const folder = mkdtempSync(join(tmpdir(), 'wellplay-test-pages-'))
const INDEX = `<html><head><!--og--><template id="code"></template></head><body><div id="root"></div>${'x'.repeat(2_000)}</body></html>`
const PAINTS = {
  '/': { code: '<link href="/landing.js">', body: 'the first screen' },
  '/user/home': { code: '<link href="/home.js">', body: 'loading' },
  '/user/*': { code: '<link href="/layout.js">', body: 'loading' },
  '/referral/*': { code: '<link href="/register.js">', body: 'loading' },
  '/*': { code: '<link href="/providers.js">', body: 'loading' },
} satisfies FirstPaints
let api: TestApi
let http: Http

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), INDEX)
  writeFileSync(join(folder, 'first-paint.json'), JSON.stringify(PAINTS))
  api = await createTestApi()
  http = await createHttp(api.context.log, { secure: false })
  await serveWeb(http, folder, (path) => pageTags(api.context, path))
  await http.listen({ port: 0 })
})
afterAll(async () => {
  await http.close()
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

const urlTagOf = (html: string) => /property="og:url" content="([^"]*)"/.exec(html)?.[1]

test('a page names its own address and the sponsor of a referral link', async () => {
  const { username, referralCode } = await aUser(api)
  const reply = await http.inject(`/referral/${referralCode}`)
  expect(reply.statusCode).toBe(200)
  expect(reply.body).toContain(`${username} invites you`)
  expect(urlTagOf(reply.body)).toBe(`${PUBLIC_URL}/referral/${referralCode}`)
})

test('a document preloads the code of its page, or of its kind of page, and shows something while that loads', async () => {
  const pages = {
    '/': '/',
    '/user/home': '/user/home',
    '/user/nothing-here': '/user/*',
    '/user': '/user/*',
    '/referral/ABCD2345': '/referral/*',
    '/trust': '/*',
  } as const
  for (const [path, kind] of Object.entries(pages)) {
    const { code, body } = PAINTS[kind]
    const reply = await http.inject(path)
    expect(reply.body).toContain(`<template id="code">${code}</template>`)
    expect(reply.body).toContain(`<div id="root">${body}</div>`)
  }
})

test('a shared link names its card, which is an image of the size that messengers show', async () => {
  const owner = await aUser(api)
  const now = api.context.clock.now()
  const closed = { user_number: owner.number, day_on: dayOf(now), pillar: 'activity', completed_at: now } as const
  await api.context.db.insertInto('wellness_completions').values(closed).execute()
  const { token } = await api.call(shares.create, { kind: 'rings' }, owner.token)
  const { body } = await http.inject(`/s/${token}`)
  expect(body).toContain(`content="${owner.username}: 1 of 4 rings closed"`)
  expect(body).toContain('<meta name="twitter:card" content="summary_large_image">')
  expect(body).toContain('<meta name="robots" content="noindex">')
  const image = new URL(/property="og:image" content="([^"]*)"/.exec(body)?.[1] ?? '')
  expect(image.origin).toBe(PUBLIC_URL)
  const card = await api.http.inject(image.pathname)
  expect(card.headers['content-type']).toBe('image/png')
  expect(card.rawPayload.subarray(0, 8)).toEqual(Buffer.from('89504e470d0a1a0a', 'hex'))
  expect([card.rawPayload.readUInt32BE(16), card.rawPayload.readUInt32BE(20)]).toEqual([1200, 630])
})

test.each(["$'", '$&', '$$'])('a path full of %s does not copy the page into itself', async (pattern) => {
  const reply = await http.inject(`/x${pattern.repeat(3_000)}`)
  expect(reply.statusCode).toBe(200)
  const { body: plain } = await http.inject('/x')
  const withoutTags = (html: string) => html.replaceAll(/<meta [^>]*>/g, '')
  expect(withoutTags(reply.body)).toBe(withoutTags(plain))
  expect(decodeURI(urlTagOf(reply.body)?.replaceAll('&#38;', '&') ?? '')).toBe(
    `${PUBLIC_URL}/x${pattern.repeat(3_000)}`,
  )
})

/** Sends the path as it is. `fetch` and `inject` would normalise it. */
async function getRaw(path: string): Promise<IncomingMessage> {
  const { port } = http.server.address() as AddressInfo
  return new Promise((resolve, reject) => get({ port, path }, resolve).once('error', reject))
}

test.each(['//', '//evil.example/x', '/\\evil.example/x', '/x//y', '//api/games/'])(
  '%s is not a page',
  async (path) => {
    const reply = await getRaw(path)
    expect(reply.statusCode).toBe(404)
    expect(await json(reply)).toMatchObject({ status: 'error', code: 'not_found' })
  },
)

test('a page answers other methods with 405, and a file that does not exist with 404', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    const reply = await http.inject({ method, url: '/user/home' })
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect((await http.inject({ method, url: '/no-such-file.js' })).statusCode).toBe(404)
  }
})

test('a page names its network', async () => {
  expect((await http.inject('/trust')).body).toContain(
    '<meta name="network" content="Development chain · test money only">',
  )
  const named = async (network: 'bsc-testnet' | 'bsc') =>
    pageTags({ ...api.context, config: { ...api.context.config, network } }, '/')
  expect(await named('bsc-testnet')).toContain('content="BSC Testnet · test money only"')
  expect(await named('bsc')).toContain('content="BNB Smart Chain · real money"')
})
