import type { ErrorCode } from './errors.ts'

/** Why something is refused: the code the server returns, and the message that form and server both show. */
export type Refusal = { code: ErrorCode; message: string }

/**
 * The rules that a form and the server both apply. Each is a pure function in this folder, called once in src/web and
 * once in src/server, which test/tidy checks.
 */
export const sharedRules = [
  'refuseUsername',
  'refuseTopUp',
  'refuseTierAmount',
  'refusePurchase',
  'refuseTransfer',
  'refuseRecipient',
  'refuseWithdrawal',
  'reviewReason',
  'refuseBet',
  'refuseBetWalletMove',
  'isLooser',
  'refuseHealthRelease',
  'refuseReply',
  'refuseAppeal',
  'refuseActivity',
  'refuseMeal',
  'refuseRemoval',
  'isImportable',
] as const

/** Refusals that can apply to any amount. The schemas and the ledger use the same messages. */
export const amountRefusals = {
  missing: { code: 'amount_format', message: 'Please enter an amount' },
  zero: { code: 'amount_zero', message: 'The amount must be above zero' },
  overdrawn: { code: 'insufficient_balance', message: 'Insufficient balance' },
} as const satisfies Record<string, Refusal>
