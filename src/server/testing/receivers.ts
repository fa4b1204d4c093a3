import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

const addressOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

const TAG_BYTES = 16
export const TELEGRAM_TOKEN = '1234:test-token-of-a-telegram-bot'

/** What a browser does with a message (RFC 8291 and RFC 8188). Written from the standard, independent of our sender's library. */
function decrypt(body: Buffer, browser: ECDH, auth: Buffer): string {
  const [salt, keyEnd] = [body.subarray(0, 16), 21 + body.readUInt8(20)]
  const senderKey = body.subarray(21, keyEnd)
  const derive = (from: Buffer, by: Buffer, info: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', from, by, info, bytes))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const shared = derive(browser.computeSecret(senderKey), auth, info, 32)
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(shared, salt, 'Content-Encoding: nonce\0', 12)
  const opened = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(body.subarray(-TAG_BYTES))
  const padded = Buffer.concat([opened.update(body.subarray(keyEnd, -TAG_BYTES)), opened.final()])
  // The text ends with a delimiter and zeros.
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** A push service with one browser, which decrypts what it receives. `answer` is the status of the next replies. */
export async function startPushService() {
  const browser = createECDH('prime256v1')
  const [publicKey, secret] = [browser.generateKeys(), randomBytes(16)]
  const received: { id: string; title: string; text: string; link: string; topic: string }[] = []
  const state = { answer: 201, beforeAnswer: async () => {} }
  const server = createServer(async (request, reply) => {
    const body = await buffer(request)
    if (state.answer === 201) {
      const plain = decrypt(body, browser, secret)
      received.push({ ...JSON.parse(plain), topic: request.headers['topic'] })
    }
    await state.beforeAnswer()
    reply.writeHead(state.answer, state.answer === 302 ? { location: 'http://127.0.0.1:1/' } : {}).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${addressOf(server)}`
  return {
    origin,
    received,
    state,
    subscription: (name = 'browser') => ({
      endpoint: `${origin}/${name}`,
      p256dh: publicKey.toString('base64url'),
      auth: secret.toString('base64url'),
    }),
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A mail server that keeps every message as it came. While `state.isDown`, it refuses connections for now. */
export async function startMailServer() {
  const received: { to: string; raw: string }[] = []
  const state = { isDown: false }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => done(state.isDown ? Object.assign(new Error('down'), { responseCode: 421 }) : null),
    onData: (stream, session, done) => {
      text(stream).then((raw) => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), raw })
        done()
      }, done)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${addressOf(server.server)}`,
    received,
    state,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

const BOT_PATH = /^\/bot(\d+:[\w-]+)\/(\w+)$/

/**
 * Telegram's Bot API, with one bot. `writes` is what a user does in the app; `answer` is the status of the next messages.
 * Updates are kept until the bot asks for later ones, as Telegram does.
 */
export async function startTelegram() {
  const received: { chat_id: number; text: string }[] = []
  const state = { answer: 200 }
  const updates: { update_id: number; message: object }[] = []
  let last = 100
  const methods: Record<string, (body: Record<string, unknown>) => { status: number; result: unknown }> = {
    sendMessage: (body) => {
      if (state.answer === 200) received.push(body as (typeof received)[number])
      return { status: state.answer, result: {} }
    },
    getUpdates: ({ offset }) => {
      const kept = updates.filter(({ update_id }) => update_id >= Number(offset))
      updates.splice(0, updates.length, ...kept)
      return { status: 200, result: kept }
    },
  }
  const server = createServer(async (request, reply) => {
    const [, token, method = ''] = BOT_PATH.exec(request.url ?? '') ?? []
    const call = token === TELEGRAM_TOKEN ? methods[method] : undefined
    const { status, result } = call?.(JSON.parse(await text(request))) ?? { status: 404, result: null }
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: status === 200, result }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${addressOf(server)}`,
    received,
    state,
    writes: (chat: number, words: string, type = 'private') => {
      last += 1
      updates.push({ update_id: last, message: { text: words, chat: { id: chat, type } } })
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
