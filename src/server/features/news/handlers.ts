import { AppError } from '../../../protocol/errors.ts'
import type { news } from '../../../protocol/news.ts'
import type { Handlers } from '../../context.ts'
import { transaction } from '../../platform/db.ts'
import { readZone } from '../wellness/queries.ts'
import { hasChat, makeChatCode, removeChat } from './chats.ts'
import { addDevice, countDevices, removeDevices } from './devices.ts'
import { askForCode, confirmEmail, countTry, readEmail, stopEmail } from './emails.ts'
import { countUnread, listNews, markAllRead, markRead } from './inbox.ts'
import { readSettings, storeSettings } from './settings.ts'

const done = (Msg: string) => ({ status: 'success', Msg }) as const

export const handlers: Handlers<typeof news> = {
  list: async ({ db, user }, { before }) => ({ ...done('Your news'), ...(await listNews(db, user.number, before)) }),
  unread: async ({ db, user }) => ({ ...done(''), unread: await countUnread(db, user.number) }),
  read: ({ change, user, clock }, { news_id }) =>
    change(async (tx) => ({ ...done('Read'), unread: await markRead(tx, user.number, news_id, clock.now()) })),
  readAll: ({ change, user, clock }, { up_to }) =>
    change(async (tx) => ({ ...done('All read'), unread: await markAllRead(tx, user.number, up_to, clock.now()) })),

  settings: async ({ db, user, session, clock, config: { push, mail, telegram } }) => ({
    ...done('Your news settings'),
    ...(await readSettings(db, user.number)),
    zone: (await readZone(db, user.number)) ?? null,
    push: push ? { key: push.publicKey, ...(await countDevices(db, session)) } : null,
    email: mail ? await readEmail(db, user.number, clock.now()) : null,
    telegram: telegram ? { connected: await hasChat(db, user.number) } : null,
  }),
  choose: ({ change, user }, chosen) =>
    change(async (tx) => {
      await storeSettings(tx, user.number, chosen)
      return done('Saved')
    }),

  addDevice: ({ change, session, config }, subscription) =>
    change(async (tx) => {
      await addDevice(tx, session, subscription, config.push)
      return done('This browser gets your news now')
    }),
  stopPush: ({ change, user }, { endpoint }) =>
    change(async (tx) => {
      await removeDevices(tx, user.number, endpoint)
      return done(endpoint ? 'This browser gets no more messages' : 'No browser gets messages any more')
    }),

  addEmail: ({ change, user, clock, config }, { address }) =>
    change(async (tx) => {
      if (!config.mail) throw new AppError('not_eligible', 'E-mail is not set up here')
      await askForCode(tx, user.number, address, clock.now())
      return done(`We sent a code to ${address}. It works for half an hour.`)
    }),
  confirmEmail: async ({ change, db, user, clock }, { code }) => {
    await transaction(db, (tx) => countTry(tx, user.number, clock.now()))
    return change(async (tx) => {
      await confirmEmail(tx, user.number, code, clock.now())
      return done('Your address is confirmed. You get e-mails now.')
    })
  },
  stopEmail: ({ change, user }) =>
    change(async (tx) => {
      await stopEmail(tx, { userNumber: user.number })
      return done('You get no more e-mails, and we deleted the address')
    }),
  addTelegram: ({ change, user, clock, config: { telegram } }) =>
    change(async (tx) => {
      if (!telegram) throw new AppError('not_eligible', 'Telegram is not set up here')
      const code = await makeChatCode(tx, user.number, clock.now())
      return { ...done('Open the link and tap Start'), link: `https://t.me/${telegram.bot}?start=${code}` }
    }),
  stopTelegram: ({ change, user }) =>
    change(async (tx) => {
      await removeChat(tx, { userNumber: user.number })
      return done('You get no more messages by Telegram')
    }),
  unsubscribe: async ({ db }, { key }) => {
    await transaction(db, (tx) => stopEmail(tx, { stopKey: key }))
    return done('You get no more e-mails from us')
  },
}
