import { z } from 'zod'
import { moneySource } from './balance.ts'
import { id } from './ids.ts'
import { formatUsdt, type Usdt, usdt, usdtInput } from './money.ts'
import { immatureRefusal } from './referral-maturity.ts'
import { page, pageInput, route, success } from './route.ts'
import { amountRefusals, type Refusal } from './rules.ts'
import { terms } from './terms.ts'
import { instant } from './time.ts'
import { storableText } from './user-text.ts'
import { username } from './users.ts'

const transferId = id('transfer')

/** Without `held` the balance is not checked here: on the server the ledger checks it in the posting. */
type TransferBounds = { amountMin: Usdt; amountMax: Usdt; held?: Usdt; matured?: Usdt | undefined }

export function refuseTransfer(amount: Usdt | undefined, bounds: TransferBounds): Refusal | undefined {
  const { amountMin, amountMax, held, matured } = bounds
  if (amount === undefined) return amountRefusals.missing
  if (amount < amountMin)
    return { code: 'amount_below_minimum', message: `Send at least ${formatUsdt(amountMin)} USDT` }
  if (held !== undefined && amount > held) return amountRefusals.overdrawn
  if (matured !== undefined && amount > matured) return immatureRefusal(matured)
  if (amount > amountMax)
    return { code: 'amount_above_limit', message: `Send at most ${formatUsdt(amountMax)} USDT at a time` }
  return undefined
}

export const refuseRecipient = (recipient: string, sender: string): Refusal | undefined =>
  recipient === sender ? { code: 'not_eligible', message: 'You cannot send to yourself' } : undefined

const note = storableText
  .trim()
  .max(terms.transferNoteMax, `A note can have at most ${terms.transferNoteMax} characters`)
  .regex(/^\P{Cc}*$/u, 'A note must be a single line of text')

const transfer = z.strictObject({
  id: transferId,
  direction: z.enum(['in', 'out']),
  /** The other user: recipient or sender. */
  username,
  amount: usdt,
  source: moneySource,
  note: z.string().nullable(),
  sent_at: instant,
})
export type Transfer = z.output<typeof transfer>

export const transfers = {
  send: route({
    method: 'POST',
    path: '/internal_transfer/',
    summary: 'Send USDT to another user instantly, inside the product',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({
      to_user: username,
      amount: usdtInput,
      source: moneySource,
      note: note.optional(),
    }),
    output: success({ data: transfer }),
    errors: [
      'idempotency_key_required',
      'unknown_user',
      'user_frozen',
      'not_eligible',
      'amount_below_minimum',
      'amount_above_limit',
      'insufficient_balance',
    ],
  }),
  history: route({
    method: 'POST',
    path: '/internal_transfer_history/',
    summary: 'Transfers sent and received, newest first',
    auth: 'user',
    input: pageInput,
    output: page(transfer),
  }),
  recipient: route({
    method: 'POST',
    path: '/internal_transfer_recipient/',
    summary: 'Whether the user with exactly this name can receive transfers, and their level',
    auth: 'user',
    limit: 'auth',
    input: z.strictObject({ to_user: username }),
    output: success({ data: z.strictObject({ username, level: z.int() }) }),
    errors: ['unknown_user', 'user_frozen', 'not_eligible'],
  }),
}
