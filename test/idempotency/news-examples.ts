import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { choicesOf } from '../../src/protocol/news-choices.ts'
import { codeHash } from '../../src/server/features/news/emails.ts'
import { newId, transaction } from '../../src/server/platform/db.ts'
import { addNews } from '../../src/server/platform/news.ts'
import { aUser } from '../../src/server/testing/api.ts'
import type { TestTable } from '../../src/server/testing/colour.ts'
import type { Example, Scene } from './examples.ts'

/** Settings with which the API offers all channels. No worker sends anything. */
export const channels = { PUSH_PUBLIC_KEY: 'B'.repeat(87), MAIL_FROM: 'news@example.com', TELEGRAM_BOT: 'wellplay_bot' }

const device = (name: string) => ({
  endpoint: `https://fcm.googleapis.com/${name}`,
  p256dh: 'B'.repeat(87),
  auth: 'B'.repeat(22),
})

export const newsExamples: Record<string, (scene: Scene) => Promise<Example>> = {
  'news.read': async ({ api }) => {
    const { token, ids } = await aReader(api)
    return { token, body: { news_id: ids[0] }, other: { body: { news_id: ids[1] } }, withoutKey: 'repeat' }
  },
  'news.readAll': async ({ api }) => {
    const { token, ids } = await aReader(api)
    return { token, body: { up_to: ids[0] }, other: { body: { up_to: ids[1] } }, withoutKey: 'repeat' }
  },
  'news.choose': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { choices: choicesOf(), quiet: null },
    other: { body: { choices: choicesOf(), quiet: { from: '20:00', until: '08:00' } } },
    withoutKey: 'repeat',
  }),
  'news.addDevice': async ({ api }) => {
    const name = randomBytes(8).toString('hex')
    return {
      token: (await aUser(api)).token,
      body: device(name),
      other: { body: device(`${name}2`) },
      withoutKey: 'repeat',
    }
  },
  'news.stopPush': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: {},
    other: { body: { endpoint: device('x').endpoint } },
    withoutKey: 'repeat',
  }),
  'news.addEmail': async ({ api }) => {
    const name = randomBytes(8).toString('hex')
    const other = { body: { address: `${name}2@example.com` } }
    return { token: (await aUser(api)).token, body: { address: `${name}@example.com` }, other, withoutKey: 'new' }
  },
  'news.confirmEmail': async ({ api }) => {
    const { token, number } = await aUser(api)
    const id = newId()
    await sql`insert into news_email_codes (id, user_number, address, code_hash, asked_at)
      values (${id}, ${number}, 'a@example.com', ${codeHash(id, '123456')}, ${api.context.clock.now()})`.execute(
      api.context.db,
    )
    return { token, body: { code: '123456' }, other: { body: { code: '654321' } }, withoutKey: 'refused' }
  },
  'news.addTelegram': async ({ api }) => ({ token: (await aUser(api)).token, body: {}, withoutKey: 'new' }),
  'news.stopTelegram': async ({ api }) => ({ token: (await aUser(api)).token, body: {}, withoutKey: 'repeat' }),
  'news.stopEmail': async ({ api }) => ({ token: (await aUser(api)).token, body: {}, withoutKey: 'repeat' }),
}

/** A user with two unread news. */
async function aReader(api: TestTable): Promise<{ token: string; ids: string[] }> {
  const { token, number } = await aUser(api)
  for (const key of ['a', 'b'])
    await transaction(api.context.db, (tx) => addNews(tx, { kind: 'support_answered', user: number, key, facts: {} }))
  const rows = await api.context.db.selectFrom('news').select('id').where('user_number', '=', number).execute()
  return { token, ids: rows.map(({ id }) => `news_${id}`) }
}
