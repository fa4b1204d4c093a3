import { z } from 'zod'
import { brand } from '../../../protocol/brand.ts'
import type { Context } from '../../context.ts'
import type { TelegramSettings } from '../../platform/channels.ts'
import { transaction } from '../../platform/db.ts'
import { addChat, removeChat } from './chats.ts'
import type { Send } from './deliver.ts'

const SEND_MS_MAX = 10_000

/** Calls Telegram's Bot API. The address has the bot's token in it, so no error may contain it. */
function createBot({ url, token = '' }: TelegramSettings) {
  return async (method: 'sendMessage' | 'getUpdates', body: object): Promise<{ status: number; body: unknown }> => {
    const reply = await fetch(`${url}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_MS_MAX),
    })
    return { status: reply.status, body: await reply.json().catch(() => undefined) }
  }
}

/** Sends news to chats. Telegram cannot recognise a repeat: after a crash between sending and storing, it is shown twice. */
export function createTelegramSender(settings: TelegramSettings, publicUrl: string): Send {
  const call = createBot(settings)
  const { origin } = new URL(publicUrl)
  return async ({ title, text, link }, { chat }) => {
    if (chat === null) return 'gone'
    const lines = [title, text, `${origin}${link}`, '', '/stop ends these messages.']
    const message = { chat_id: Number(chat), text: lines.join('\n'), link_preview_options: { is_disabled: true } }
    const { status } = await call('sendMessage', message)
    if (status === 200) return 'sent'
    // The user has blocked the bot.
    if (status === 403) return 'gone'
    if (status === 400) return 'refused'
    throw new Error(`Telegram answered ${status}`)
  }
}

const updates = z.object({ result: z.array(z.object({ update_id: z.int(), message: z.unknown() })) })
const message = z.object({ text: z.string(), chat: z.object({ id: z.int(), type: z.literal('private') }) })

/**
 * Reads what users wrote to the bot: `/start` with a code of ours, and `/stop`. Telegram repeats what is not confirmed by
 * the next call, so a worker that dies loses nothing, and each of the two may be read twice.
 */
export function createTelegramReader(context: Pick<Context, 'db' | 'clock' | 'log'>, settings: TelegramSettings) {
  const call = createBot(settings)
  let offset = 0
  return async (): Promise<void> => {
    // The call after the last update confirms it.
    for (let count = -1; count !== 0; ) {
      const { status, body } = await call('getUpdates', { offset, timeout: 0, allowed_updates: ['message'] })
      // Another worker is reading at this moment.
      if (status === 409) return
      if (status !== 200) throw new Error(`Telegram answered ${status}`)
      const { result } = updates.parse(body)
      for (const update of result) {
        const written = message.safeParse(update.message)
        if (written.success) await answer(written.data)
        offset = update.update_id + 1
      }
      count = result.length
    }
  }

  async function answer({ text, chat }: z.output<typeof message>): Promise<void> {
    const reply = await obey(text, chat.id)
    if (!reply) return
    const { status } = await call('sendMessage', { chat_id: chat.id, text: reply })
    if (status !== 200) context.log.warn({ status }, 'a reply to a Telegram chat was not accepted')
  }

  async function obey(text: string, chat: number): Promise<string | undefined> {
    const [, code] = /^\/start ([\w-]{22})$/.exec(text) ?? []
    if (text === '/stop') {
      const [removed] = await transaction(context.db, (tx) => removeChat(tx, { chat }))
      return removed && removed.numDeletedRows > 0n ? `You get no more news from ${brand.name} here.` : undefined
    }
    if (code === undefined) return undefined
    const outcome = await transaction(context.db, (tx) => addChat(tx, code, chat, context.clock.now()))
    if (outcome === 'known') return undefined
    return outcome === 'added'
      ? `You get your ${brand.name} news here now. /stop ends them.`
      : `This link no longer works. Connect Telegram again on your profile.`
  }
}
