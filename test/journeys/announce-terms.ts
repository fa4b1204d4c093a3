import { join } from 'node:path'
import { z } from 'zod'
import { operatorActText } from '../../src/protocol/operators.ts'
import { type Terms, termsShape } from '../../src/protocol/terms.ts'
import { changeLine, termChanges } from '../../src/protocol/terms-words.ts'
import { addressOfKey, digestOf, signAct } from '../../src/server/chain/operator-keys.ts'
import { DEVELOPMENT_CHAIN_ID } from '../../src/server/embedded/anvil-node.ts'
import { newAct } from '../../src/server/operators/acts.ts'
import { loadKey } from '../../src/server/operators/keys.ts'
import { termsText } from '../../src/server/platform/terms.ts'
import { withDatabase } from './database.ts'

/**
 * Announces new terms that take effect in some seconds. Both operators sign them, but the notice is 24 hours, so the
 * database's owner stores the act as one of yesterday. The operators then must be older, too, or the audit would find it.
 */
export async function announceTerms(changeFrom: (terms: Terms) => Partial<Terms>, seconds: number): Promise<void> {
  const keys = ['anna', 'ben'].map((name) =>
    loadKey(join(process.env['JOURNEY_DATA'] ?? '', 'operators', `${name}.key`)),
  )
  await withDatabase(async (client) => {
    const { rows } = await client.query<{ terms: unknown }>(`select terms_at('infinity') as terms`)
    const before = z.decode(termsShape, rows[0]?.terms as z.input<typeof termsShape>)
    const terms = { ...before, ...changeFrom(before) }
    const from = new Date(Date.now() + seconds * 1_000)
    const changes = termChanges(before, terms).map(changeLine).join(' | ')
    const act = newAct('terms propose', 'a test', { from: from.toISOString(), changes, terms: termsText(terms) })
    const digest = digestOf(act)
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(`with older as (
        update operators set enrolled_at = enrolled_at - interval '2 days'
        where enrolled_at > now() - interval '1 day' returning address, enrolled_at
      ) update operator_acts a set performed_at = older.enrolled_at from older
      where a.act = 'operators enroll' and a.details ->> 'address' = older.address`)
    await client.query(
      `insert into operator_acts (id, act, payload, digest, proposed_at, performed_at, performed_in)
      values ($1, $2, $3, $4, now() - interval '25 hours', now() - interval '25 hours', pg_current_xact_id())`,
      [act.id, act.act, operatorActText(act), digest],
    )
    for (const key of keys)
      await client.query("insert into operator_signatures values ($1, $2, $3, $4, now() - interval '25 hours')", [
        ...[act.id, addressOfKey(key), digest, await signAct(key, act, DEVELOPMENT_CHAIN_ID)],
      ])
    await client.query(
      `insert into terms_versions (version, takes_effect_at, announced_at, terms, act_id)
      select max(version) + 1, $1, now() - interval '25 hours', $2, $3 from terms_versions`,
      [from, termsText(terms), act.id],
    )
    await client.query(`select pg_notify('wellplay_events', '[{"topic":"terms"}]')`)
    await client.query('commit')
  })
}
