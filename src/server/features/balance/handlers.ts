import type { balance } from '../../../protocol/balance.ts'
import { AppError } from '../../../protocol/errors.ts'
import { type InputOf, PAGE_SIZE } from '../../../protocol/route.ts'
import type { Handlers, User } from '../../context.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { type PostingKind, postingKinds } from '../../ledger/rules.ts'
import { listStatement, type StatementFilter, statementCsv } from '../../ledger/statement.ts'
import { readToday } from '../../platform/clock.ts'
import { readDetails } from './details.ts'
import { readTimeline } from './timeline.ts'

/** Longer statements must be downloaded in parts, by date. */
const CSV_LINES_MAX = 100_000

export const handlers: Handlers<typeof balance> = {
  details: async (context) => ({
    status: 'success',
    Msg: 'Your plan details',
    data: await readDetails(context, context.user),
  }),

  statement: async ({ db, user }, { before, limit = PAGE_SIZE, ...input }) => {
    const cursor = before === undefined ? undefined : BigInt(before)
    const { entries, next } = await listStatement(db, filterOf(user, input), { before: cursor, limit })
    const data = entries.map(({ version, amount, balanceAfter, postedAt, kind, reference }) => ({
      number: Number(version),
      amount,
      balance_after: balanceAfter,
      posted_at: postedAt,
      kind,
      reference,
    }))
    return { status: 'success', Msg: 'Statement', data, next: next === undefined ? null : Number(next) }
  },

  statementCsv: async ({ db, user }, input) => {
    const lines: string[] = []
    for await (const line of statementCsv(db, filterOf(user, input))) {
      if (lines.push(line) > CSV_LINES_MAX)
        throw new AppError('invalid_input', 'This file would be too long. Choose fewer days.', 'from')
    }
    return { status: 'success', Msg: 'Statement', file_name: `${input.account}-statement.csv`, csv: lines.join('') }
  },

  timeline: async ({ db, user, clock }, { days }) => {
    const data = await readTimeline(db, user.number, await readToday(db, clock), days)
    return { status: 'success', Msg: 'Your balance by day', data }
  },
}

function filterOf(
  { number }: User,
  { account, kind, from, to }: InputOf<typeof balance.statementCsv>,
): StatementFilter {
  if (kind !== undefined && !postingKinds.includes(kind as PostingKind))
    throw new AppError('invalid_input', 'Unknown kind of movement', 'kind')
  return {
    account: userAccount(number, account),
    ...(kind && { kind: kind as PostingKind }),
    ...(from && { from }),
    ...(to && { to }),
  }
}
