import { sql } from 'kysely'
import type pg from 'pg'
import { z } from 'zod'
import { type Announcement, type Terms, termsShape } from '../../protocol/terms.ts'
import { defaultTerms } from '../../protocol/terms-defaults.ts'
import { termChanges } from '../../protocol/terms-words.ts'
import type { Db } from './db.ts'

/**
 * The terms at a time; without one, at the beginning of the current transaction by the database's clock. So two
 * processes never disagree about when a version begins, and no process keeps terms that may be out of date.
 */
export async function termsAt(db: Db, moment?: Date): Promise<Terms> {
  const { rows } = await sql<{ terms: string | null }>`
    select terms_at(${moment ?? sql`now()`})::text as terms`.execute(db)
  return termsOf(rows[0]?.terms ?? undefined)
}

/** Decodes the text of terms that a query has read. */
export function termsOf(text: string | undefined): Terms {
  if (text === undefined) throw new Error('the database has no terms')
  const known = decoded.get(text)
  if (known) return known
  const terms = z.decode(termsShape, JSON.parse(text))
  if (decoded.size >= DECODED_MAX) decoded.clear()
  decoded.set(text, terms)
  return terms
}

/** Decoding takes longer than reading. The same text always gives the same terms, so an entry is never out of date. */
const decoded = new Map<string, Terms>()
const DECODED_MAX = 100

export const termsText = (terms: Terms): string => JSON.stringify(z.encode(termsShape, terms))

export type TermsPeriod = { version: number; startsAt: Date; terms: Terms }

/** The version in force, then the announced ones in the order of their dates. */
export async function listTermsPeriods(db: Db): Promise<[TermsPeriod, ...TermsPeriod[]]> {
  const { rows } = await sql<{ version: number; starts_at: Date; terms: string }>`
    select version, starts_at, terms::text as terms from terms_periods where ends_at > now() order by starts_at`.execute(
    db,
  )
  const [current, ...announced] = rows.map(({ version, starts_at, terms }) => ({
    version,
    startsAt: starts_at,
    terms: termsOf(terms),
  }))
  if (!current) throw new Error('the database has no terms')
  return [current, ...announced]
}

/** What each announced version changes, compared with the version before it. */
export const announcementsOf = (periods: readonly TermsPeriod[]): Announcement[] =>
  periods.slice(1).map(({ version, startsAt, terms }, at) => ({
    version,
    takes_effect_at: startsAt,
    changes: termChanges(periods[at]?.terms ?? terms, terms),
  }))

/** A new installation starts with the default terms. Operators announce every later version. */
export async function installTerms(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ exists: boolean }>(`select to_regclass('terms_versions') is not null as exists`)
  if (!rows[0]?.exists) return
  await owner.query(
    'insert into terms_versions (terms) select $1::jsonb where not exists (select from terms_versions)',
    [termsText(defaultTerms)],
  )
}
