import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt } from '../../../protocol/money.ts'
import { transferRow, type transfers, transferTypedData, unsignedMax } from '../../../protocol/transfers.ts'
import { requireTimely, requireTypedSignature } from '../../chain/step-up.ts'
import type { Context, Handlers, RequestContext, User } from '../../context.ts'
import type { Db } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { readCsv, readPage } from '../../platform/history.ts'
import { transferHistory } from './history.ts'
import {
  createRecipientFinder,
  type Order,
  type Recipient,
  sendTransfer,
  signatureRequired,
  transferId,
} from './transfers.ts'

type FindRecipient = ReturnType<typeof createRecipientFinder>
const findersByDb = new WeakMap<Db, FindRecipient>()
/** Batches the look-ups of recipients. One per database. */
function recipientFinderOf({ db, pool }: Context): FindRecipient {
  const finder = findersByDb.get(db) ?? createRecipientFinder(pool)
  findersByDb.set(db, finder)
  return finder
}

export const handlers: Handlers<typeof transfers> = {
  send: async (context, { to_user, amount, source, note, nonce, deadline, signature }) => {
    const { user, session, idempotencyKey } = context
    if (idempotencyKey === undefined)
      throw new AppError('idempotency_key_required', 'Send an Idempotency-Key header, so that a retry cannot pay twice')
    const to = await recipientFinderOf(context)(user, to_user)
    const isSigned = nonce !== undefined && deadline !== undefined && signature !== undefined
    const proof = isSigned ? { nonce, deadline: new Date(deadline * 1000), signature } : undefined
    const order = { to, amount, source, note: note || null, proof }
    const problem = await findSignatureProblem(context, order, session.isBound)
    // A repeat gets the stored reply, even if its signature has expired or the allowance is used since.
    if (problem && !(await isPosted(context.db, transferId(user, idempotencyKey)))) throw problem
    const data = await sendTransfer(context, user, order, idempotencyKey)
    publishBalances(context, user.number, to.number)
    return { status: 'success', Msg: `${formatUsdt(amount)} USDT sent to ${to.username}`, data }
  },

  history: async ({ db, user }, input) => ({
    status: 'success',
    Msg: 'Your transfers',
    ...(await readPage(db, transferHistory(user.number), input)),
  }),

  historyCsv: async ({ db, user }, input) => {
    const csv = await readCsv(db, transferHistory(user.number), transferRow, input)
    return { status: 'success', Msg: 'Your transfers', file_name: 'transfers.csv', csv }
  },

  recipient: async (context, { to_user }) => {
    const recipient = await recipientFinderOf(context)(context.user, to_user)
    const { username, level } = recipient
    const unsigned_max = unsignedMaxOf(recipient, context.session.isBound)
    return { status: 'success', Msg: `${username} can receive transfers`, data: { username, level, unsigned_max } }
  },
}

/** The transfer is committed, so the caller gets a success even if the events are lost. */
function publishBalances({ db, log }: Context, ...users: number[]): void {
  publish(db, ...users.map((user) => ({ topic: 'balance', user }))).catch((error: Error) =>
    log.warn({ error: error.message }, 'publishing a balance event failed'),
  )
}

const unsignedMaxOf = ({ isKnown, sentToday, terms }: Recipient, isBound: boolean) =>
  unsignedMax({ isBound, isKnown, sentToday, dailyMax: terms.transferUnsignedDailyMax })

/** A transfer beyond the allowance needs the signature of the sender's wallet over exactly this order (R11). */
async function findSignatureProblem(
  { chain, clock, user }: Pick<RequestContext, 'chain' | 'clock'> & { user: User },
  { to, amount, source, proof }: Order,
  isBound: boolean,
): Promise<AppError | undefined> {
  if (!proof) return amount > unsignedMaxOf(to, isBound) ? signatureRequired() : undefined
  const { nonce, deadline, signature } = proof
  const data = { amount, source, to: to.username, nonce, deadline, chainId: chain.settings.chainId }
  try {
    await requireTypedSignature(chain, user.walletAddress, transferTypedData(data), signature)
    requireTimely(deadline, clock.now())
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

async function isPosted(db: Db, id: string): Promise<boolean> {
  const posting = db
    .selectFrom('ledger_postings')
    .select('kind')
    .where('kind', '=', 'transfer')
    .where('reference', '=', id)
  return (await posting.executeTakeFirst()) !== undefined
}
