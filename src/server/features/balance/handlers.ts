import { type balance, statementRow } from '../../../protocol/balance.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { Handlers } from '../../context.ts'
import { type PostingKind, postingKinds } from '../../ledger/rules.ts'
import { readToday } from '../../platform/clock.ts'
import { readCsv, readPage } from '../../platform/history.ts'
import { readDetails } from './details.ts'
import { statementOf } from './statement.ts'
import { readTimeline } from './timeline.ts'

export const handlers: Handlers<typeof balance> = {
  details: async (context) => ({
    status: 'success',
    Msg: 'Your plan details',
    data: await readDetails(context, context.user),
  }),

  statement: async ({ db, user }, { account, ...input }) => {
    requireKind(input.kind)
    return { status: 'success', Msg: 'Statement', ...(await readPage(db, statementOf(user.number, account), input)) }
  },

  statementCsv: async ({ db, user }, { account, ...input }) => {
    requireKind(input.kind)
    const csv = await readCsv(db, statementOf(user.number, account), statementRow, input)
    return { status: 'success', Msg: 'Statement', file_name: `${account}-statement.csv`, csv }
  },

  timeline: async ({ db, user, clock }, { days }) => {
    const data = await readTimeline(db, user.number, await readToday(db, clock), days)
    return { status: 'success', Msg: 'Your balance by day', data }
  },
}

function requireKind(kind: string | undefined): void {
  if (kind !== undefined && !postingKinds.includes(kind as PostingKind))
    throw new AppError('invalid_input', 'Unknown kind of movement', 'kind')
}
