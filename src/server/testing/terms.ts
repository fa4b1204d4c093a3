import pg from 'pg'
import type { Terms } from '../../protocol/terms.ts'
import { defaultTerms } from '../../protocol/terms-defaults.ts'
import { termsText } from '../platform/terms.ts'

/**
 * Adds a version of the terms as the owner and with triggers off, so that a test need not wait for 24 hours. It takes
 * effect `seconds` from now, by the database's clock; the date is returned.
 */
export async function changeTerms(ownerUrl: string, changes: Partial<Terms>, seconds = 0): Promise<Date> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    const { rows } = await client.query<{ takes_effect_at: Date }>(
      `insert into terms_versions (version, takes_effect_at, announced_at, terms, act_id)
      select max(version) + 1, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $1),
        clock_timestamp(), $2, gen_random_uuid() from terms_versions returning takes_effect_at`,
      [seconds, termsText({ ...defaultTerms, ...changes })],
    )
    return rows[0]?.takes_effect_at ?? new Date(0)
  } finally {
    await client.end()
  }
}
