import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { fieldWords } from '../../protocol/field-words.ts'
import type { OperatorAct } from '../../protocol/operators.ts'
import { TERMS_NOTICE_HOURS, type Terms } from '../../protocol/terms.ts'
import { checkedTerms } from '../../protocol/terms-check.ts'
import { changeLine, listTerms, termChanges, termsDateText } from '../../protocol/terms-words.ts'
import type { Db } from '../platform/db.ts'
import { publish } from '../platform/events.ts'
import { announcementsOf, listTermsPeriods, termsText } from '../platform/terms.ts'
import { type ActCommand, type Command, type Ops, table, wordAt, wrong } from './command.ts'

const HOUR_MS = 3_600_000
/** The database has the same limit (terms_cancel_notice). Here it gives a readable refusal. */
const CANCEL_HOURS = 1

/** The terms in force, then what is announced. `--json` prints them as a file to edit. */
async function show({ context, flags, write }: Ops): Promise<undefined> {
  const periods = await listTermsPeriods(context.db)
  const [current] = periods
  if (flags['json'] === true) return void write(JSON.stringify(JSON.parse(termsText(current.terms)), null, 2))
  write(`Version ${current.version} is in force.\n`)
  write(table(['term', 'value'], listTerms(current.terms)))
  if (periods.length === 1) return void write('\nNo change is announced.')
  for (const { version, takes_effect_at, changes } of announcementsOf(periods)) {
    write(`\nVersion ${version}:`)
    for (const change of changes) write(`  ${changeLine(change)} from ${termsDateText(takes_effect_at)}`)
  }
  return undefined
}

/** The version before a new one: the last announced, or the one in force. */
const lastPeriod = async (db: Db) => {
  const periods = await listTermsPeriods(db)
  return periods.at(-1) ?? periods[0]
}

function readFile(path: string): object {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch {
    throw wrong(`${path} cannot be read as JSON`)
  }
  throw wrong(`${path} must hold a JSON object such as {"withdrawalFeePercent": 4}`)
}

function checkTerms(encoded: unknown): Terms {
  const { data, error } = checkedTerms.safeDecode(encoded as z.input<typeof checkedTerms>, { error: fieldWords })
  if (data) return data
  throw wrong(
    error.issues.map(({ message, path }) => `${message}${path.length > 0 ? ` (${path.join('.')})` : ''}`).join('. '),
  )
}

function dateOf(text: string): Date {
  const given = z.union([z.iso.date(), z.iso.datetime()]).safeParse(text)
  if (!given.success) throw wrong('Give the date, for example --from 2026-12-03 or --from 2026-12-03T12:00:00Z')
  return new Date(given.data)
}

const changesText = (before: Terms, after: Terms): string => termChanges(before, after).map(changeLine).join(' | ')

/** What `prepare` and `perform` both refuse. The second signature may come much later than the first. */
async function requirePossible(db: Db, now: Date, { from, next }: { from: Date; next: Terms }): Promise<string> {
  const last = await lastPeriod(db)
  if (from.getTime() < now.getTime() + TERMS_NOTICE_HOURS * HOUR_MS)
    throw wrong(
      `New terms take effect at least ${TERMS_NOTICE_HOURS} hours after they are announced. Choose a later date.`,
    )
  if (from <= last.startsAt)
    throw wrong(`Version ${last.version} takes effect on ${termsDateText(last.startsAt)}. Choose a later date.`)
  const changes = changesText(last.terms, next)
  if (changes === '') throw wrong('This changes nothing')
  return changes
}

const proposeTerms: ActCommand = {
  name: 'terms propose',
  takes: '<file>',
  options: { from: { type: 'string', value: 'DATE', required: true, about: 'when they take effect, in UTC' } },
  summary: 'announces new terms from a JSON file with the terms that change; two operators must sign',
  async prepare(ops) {
    const { db, clock } = ops.context
    const given = readFile(wordAt(ops, 0, 'The file'))
    const from = dateOf(String(ops.flags['from'] ?? ''))
    const { terms } = await lastPeriod(db)
    const next = checkTerms({ ...JSON.parse(termsText(terms)), ...given })
    const changes = await requirePossible(db, clock.now(), { from, next })
    for (const change of termChanges(terms, next)) ops.write(`${changeLine(change)} from ${termsDateText(from)}`)
    return { from: from.toISOString(), changes, terms: termsText(next) }
  },
  async perform(tx, { context, act }) {
    const from = new Date(act['from'] ?? '')
    const next = checkTerms(JSON.parse(act['terms'] ?? ''))
    const changes = await requirePossible(tx, context.clock.now(), { from, next })
    // The text that the operators saw must be the whole difference.
    if (changes !== act['changes'])
      throw wrong('The terms before it have changed, so this is another change: propose it again')
    const { version } = await tx
      .insertInto('terms_versions')
      .values({ takes_effect_at: from, terms: termsText(next), act_id: act.id })
      .returning('version')
      .executeTakeFirstOrThrow()
    await publish(tx, { topic: 'terms' })
    return `Announced as version ${version}. It takes effect on ${termsDateText(from)}.`
  },
}

/** An announced version that can still be cancelled. */
async function getAnnounced({ db, clock }: Pick<Ops['context'], 'db' | 'clock'>, text: string) {
  const [, ...announced] = await listTermsPeriods(db)
  const found = announced.find(({ version }) => String(version) === text)
  if (!found) throw wrong(`No version ${text} is announced. To see those that are: npm run ops -- terms`)
  if (found.startsAt.getTime() < clock.now().getTime() + CANCEL_HOURS * HOUR_MS)
    throw wrong(`A version can be cancelled until ${CANCEL_HOURS} hour before it takes effect`)
  return found
}

const cancelTerms: ActCommand = {
  name: 'terms cancel',
  takes: '<version>',
  summary: 'takes back announced terms before their date; two operators must sign',
  async prepare(ops) {
    const { version, startsAt } = await getAnnounced(ops.context, wordAt(ops, 0, 'The version'))
    return { version: String(version), from: startsAt.toISOString() }
  },
  async perform(tx, { context: { clock }, act }: { context: Ops['context']; act: OperatorAct }) {
    const { version } = await getAnnounced({ db: tx, clock }, act['version'] ?? '')
    await tx.insertInto('terms_cancellations').values({ version, act_id: act.id }).execute()
    await publish(tx, { topic: 'terms' })
    return `Version ${version} is cancelled.`
  },
}

export const termsCommands: (Command | ActCommand)[] = [
  {
    name: 'terms',
    options: { json: { type: 'boolean', about: 'the terms in force as JSON' } },
    summary: 'the terms in force, and announced changes',
    run: show,
  },
  proposeTerms,
  cancelTerms,
]
