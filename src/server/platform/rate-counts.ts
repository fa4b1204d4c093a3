import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import type { ShareCounts } from './rate-counter.ts'

/** In the order of the keys, so that two processes lock their rows in the same order. `now()` is the same in all rows. */
const ADD = `
  insert into rate_counts (key, calls, ends_at)
  select key, calls, now() + interval '1 minute' from unnest($1::uuid[], $2::int[]) as asked (key, calls) order by key
  on conflict (key) do update set
    calls = excluded.calls + case when rate_counts.ends_at > now() then rate_counts.calls else 0 end,
    ends_at = case when rate_counts.ends_at > now() then rate_counts.ends_at else excluded.ends_at end
  returning key, calls, (extract(epoch from ends_at - now()) * 1000)::float8 as resets_in_ms`

type Row = { key: string; calls: number; resets_in_ms: number }

/** Counts calls in the database, for all API processes together. */
export const shareCounts =
  (pool: Pool): ShareCounts =>
  async (asked) => {
    const keys = asked.map(({ key }) => uuidOf(key))
    const values = [keys, asked.map(({ calls }) => calls)]
    const { rows } = await pool.query<Row>({ name: 'rate_counts_add', text: ADD, values })
    const byKey = new Map(rows.map((row) => [row.key, row]))
    return keys.map((key) => {
      const row = byKey.get(key)
      if (!row) throw new Error('a count is missing')
      return { calls: row.calls, resetsInMs: row.resets_in_ms }
    })
  }

/** 128 bits of SHA-256, as PostgreSQL prints a UUID. */
const uuidOf = (key: string): string =>
  hash('sha256', key)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
