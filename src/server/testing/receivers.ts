import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { PushApiModel } from 'web-push-testing/src/PushApiModel.js'

const addressOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

export const TELEGRAM_TOKEN = '1234:test-token-of-a-telegram-bot'

/** A refused signature or key is 401: then the sender's keys are wrong, and not the message. */
const ABOUT_KEYS = /authentication|authorization|crypto-key/i

/**
 * A push service with browsers that subscribed with our public key. It refuses what is not signed with that key, and
 * decrypts the rest. `answer` is the status of the next replies; before it answers, it waits for `beforeAnswer`.
 */
export async function startPushService(publicKey: string) {
  const model = new PushApiModel()
  const received: { id: string; title: string; text: string; link: string; topic: string }[] = []
  const state = { answer: 201, beforeAnswer: async () => {} }

  async function receive({ url = '', headers }: IncomingMessage, body: Buffer): Promise<number> {
    const clientHash = url.slice(1)
    const { 'content-encoding': encoding, authorization, ttl, topic } = headers as Record<string, string | undefined>
    try {
      const given = { encoding, authorization, ttl, encryption: undefined, cryptoKey: undefined }
      await model.handleNotification(clientHash, given, body)
    } catch (error) {
      return ABOUT_KEYS.test(String(error)) ? 401 : 400
    }
    const plain = model.getNotifications({ clientHash }).messages.shift() ?? ''
    received.push({ ...JSON.parse(plain), topic })
    return 201
  }

  const server = createServer(async (request, reply) => {
    const body = await buffer(request)
    await state.beforeAnswer()
    const status = state.answer === 201 ? await receive(request, body) : state.answer
    reply.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {}).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${addressOf(server)}`
  model.notifyUrl = `${origin}/`
  return {
    origin,
    received,
    state,
    subscribe: async () => {
      const { endpoint, keys } = await model.subscribe({ applicationServerKey: publicKey })
      return { endpoint, ...keys }
    },
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
