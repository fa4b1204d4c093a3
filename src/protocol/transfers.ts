import { z } from 'zod'
import { type MoneySource, moneySource } from './balance.ts'
import { brand } from './brand.ts'
import { history, historyCsv } from './history.ts'
import { id } from './ids.ts'
import { formatUsdt, larger, subtract, type Usdt, usdt, usdtInput, ZERO } from './money.ts'
import { immatureRefusal, type Matured } from './referral-maturity.ts'
import { route, success } from './route.ts'
import { amountRefusals, type Refusal } from './rules.ts'
import { instant } from './time.ts'
import { storableText } from './user-text.ts'
import { username } from './users.ts'
import { type SignedTerms, unixSeconds, walletSignature } from './wallet-signature.ts'

const transferId = id('transfer')

/** Without `held` the balance is not checked here: on the server the ledger checks it in the posting. */
type TransferBounds = { amountMin: Usdt; amountMax: Usdt; held?: Usdt; matured?: Matured | undefined }

export function refuseTransfer(amount: Usdt | undefined, bounds: TransferBounds): Refusal | undefined {
  const { amountMin, amountMax, held, matured } = bounds
  if (amount === undefined) return amountRefusals.missing
  if (amount < amountMin)
    return { code: 'amount_below_minimum', message: `Send at least ${formatUsdt(amountMin)} USDT` }
  if (held !== undefined && amount > held) return amountRefusals.overdrawn
  if (matured !== undefined && amount > matured.amount) return immatureRefusal(matured)
  if (amount > amountMax)
    return { code: 'amount_above_limit', message: `Send at most ${formatUsdt(amountMax)} USDT at a time` }
  return undefined
}

export const refuseRecipient = (recipient: string, sender: string): Refusal | undefined =>
  recipient === sender ? { code: 'not_eligible', message: 'You cannot send to yourself' } : undefined

type UnsignedBounds = { isBound: boolean; isKnown: boolean; sentToday: Usdt; dailyMax: Usdt }

/**
 * The largest transfer that needs no signature of the sender's wallet now. A token alone may have been copied, so an
 * unbound session and a new recipient always need one.
 */
export const unsignedMax = ({ isBound, isKnown, sentToday, dailyMax }: UnsignedBounds): Usdt =>
  isBound && isKnown ? larger(ZERO, subtract(dailyMax, sentToday)) : ZERO

export type TransferOrder = SignedTerms & { amount: Usdt; source: MoneySource; to: string }

/** The message the sender's wallet shows and signs (EIP-712, R11). */
export const transferTypedData = ({ amount, source, to, nonce, deadline, chainId }: TransferOrder) => ({
  domain: { name: brand.name, version: '1', chainId },
  types: {
    Transfer: [
      { name: 'action', type: 'string' },
      { name: 'amount', type: 'string' },
      { name: 'source', type: 'string' },
      { name: 'to', type: 'string' },
      { name: 'nonce', type: 'string' },
      { name: 'deadline', type: 'uint256' },
    ],
  } as const,
  primaryType: 'Transfer' as const,
  message: {
    action: 'transfer',
    amount: `${formatUsdt(amount)} USDT`,
    source,
    to,
    nonce,
    deadline: unixSeconds(deadline),
  },
})

export const TRANSFER_NOTE_MAX = 140

const note = storableText
  .trim()
  .max(TRANSFER_NOTE_MAX, `A note can have at most ${TRANSFER_NOTE_MAX} characters`)
  .regex(/^\P{Cc}*$/u, 'A note must be a single line of text')

export const transferRow = z.strictObject({
  id: transferId,
  direction: z.enum(['in', 'out']),
  /** The other user: recipient or sender. */
  username,
  amount: usdt,
  source: moneySource,
  note: z.string().nullable(),
  sent_at: instant,
})
export type Transfer = z.output<typeof transferRow>

const filters = { direction: transferRow.shape.direction.optional() }

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
      nonce: walletSignature.nonce.optional(),
      deadline: walletSignature.deadline.optional(),
      signature: walletSignature.signature
        .optional()
        .meta({ description: 'By your wallet, with nonce and deadline. See `unsigned_max` of the recipient.' }),
    }),
    output: success({ data: transferRow }),
    errors: [
      'idempotency_key_required',
      'unknown_user',
      'user_frozen',
      'not_eligible',
      'amount_below_minimum',
      'amount_above_limit',
      'insufficient_balance',
      'signature_required',
      'signature_refused',
    ],
  }),
  history: history({
    path: '/internal_transfer_history/',
    summary: 'Transfers sent and received, newest first',
    filters,
    row: transferRow,
  }),
  historyCsv: historyCsv({ path: '/internal_transfer_history_csv/', summary: 'Your transfers as a CSV file', filters }),
  recipient: route({
    method: 'POST',
    path: '/internal_transfer_recipient/',
    summary: 'Whether the user with exactly this name can receive transfers, and what you can send without a signature',
    auth: 'user',
    limit: 'auth',
    input: z.strictObject({ to_user: username }),
    output: success({
      data: z.strictObject({
        username,
        level: z.int(),
        /** A larger transfer to this user needs your wallet's signature. */
        unsigned_max: usdt,
      }),
    }),
    errors: ['unknown_user', 'user_frozen', 'not_eligible'],
  }),
}
