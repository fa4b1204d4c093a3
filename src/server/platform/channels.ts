import type { z } from 'zod'
import type { settings } from './settings.ts'

/** Web push. Only the worker has the private key. */
export type PushSettings = {
  publicKey: string
  privateKey: string | undefined
  contact: string
  services: readonly string[]
}
/** E-mail. Only the worker has the server's address, with its password. */
export type MailSettings = { url: string | undefined; from: string }
/** Telegram. Only the worker has the token of the bot. */
export type TelegramSettings = { bot: string; token: string | undefined; url: string }

/** The channels that the operator has set up for news. */
export const channelsOf = (s: z.output<typeof settings>) => ({
  push: pushOf(s),
  mail: s.MAIL_FROM === undefined ? undefined : { url: s.SMTP_URL, from: s.MAIL_FROM },
  telegram:
    s.TELEGRAM_BOT === undefined ? undefined : { bot: s.TELEGRAM_BOT, token: s.TELEGRAM_TOKEN, url: s.TELEGRAM_URL },
})

/** Push services accept no other address as a contact. On the development network ours is http. */
const isHttps = (url: string) => url.startsWith('https:')

const pushOf = (s: z.output<typeof settings>): PushSettings | undefined =>
  s.PUSH_PUBLIC_KEY === undefined
    ? undefined
    : {
        publicKey: s.PUSH_PUBLIC_KEY,
        privateKey: s.PUSH_PRIVATE_KEY,
        contact: s.PUSH_CONTACT ?? s.PUBLIC_URL?.find(isHttps) ?? 'mailto:operator@localhost',
        services: s.PUSH_SERVICES,
      }

/** The API offers a channel by the first setting; the worker sends on it with the second. */
const senders = [
  ['PUSH_PUBLIC_KEY', 'PUSH_PRIVATE_KEY'],
  ['MAIL_FROM', 'SMTP_URL'],
  ['TELEGRAM_BOT', 'TELEGRAM_TOKEN'],
] as const

/** The API would offer a channel on which the worker cannot send. */
export const findMissingSenders = (env: Record<string, string | undefined>): string[] =>
  senders
    .filter(([offered, needed]) => env[offered] && !env[needed])
    .map(([offered, needed]) => `${needed}: missing. ${offered} needs it.`)
