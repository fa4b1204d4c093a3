import { sql } from 'kysely'
import { shares } from '../../src/protocol/shares.ts'
import { dayOf } from '../../src/protocol/time.ts'
import { aUser } from '../../src/server/testing/api.ts'
import type { TestTable } from '../../src/server/testing/colour.ts'
import type { Example, Scene } from './examples.ts'

export const shareExamples: Record<string, (scene: Scene) => Promise<Example>> = {
  'declarations.declare': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { age: 18 },
    other: { body: { age: 21 } },
    withoutKey: 'repeat',
  }),
  'shares.create': async ({ api }) => {
    const token = await aPlayerWithRing(api)
    return { token, body: { kind: 'rings' }, other: { body: { kind: 'streak' } }, withoutKey: 'repeat' }
  },
  'shares.remove': async ({ api }) => {
    const token = await aPlayerWithRing(api)
    const [rings, streak] = [
      await api.call(shares.create, { kind: 'rings' }, token),
      await api.call(shares.create, { kind: 'streak' }, token),
    ]
    return { token, body: { token: rings.token }, other: { body: { token: streak.token } }, withoutKey: 'refused' }
  },
}

/** The token of a user who closed a ring today. */
async function aPlayerWithRing(api: TestTable): Promise<string> {
  const { token, number } = await aUser(api)
  const now = api.context.clock.now()
  await sql`insert into wellness_completions (user_number, day_on, pillar, completed_at)
    values (${number}, ${dayOf(now)}, 'activity', ${now})`.execute(api.context.db)
  return token
}
