import { z } from 'zod'
import { brand } from './brand.ts'
import { keptRecords } from './deletion-kept.ts'
import type { UserId } from './ids.ts'
import { feeInput, formatUsdt, type Usdt, usdt } from './money.ts'
import { nothing, route, success } from './route.ts'
import { instant } from './time.ts'
import { type SignedTerms, unixSeconds, walletSignature } from './wallet-signature.ts'

/** What must be settled before an account can be deleted, and what the user can do about it. */
export const obstacleWords = {
  frozen: 'Your account is frozen. Write to support to find out why.',
  excluded: 'Your break from the colour game must end first, so that it cannot be undone with a new account.',
  plan: 'You have an active plan. Its money returns to your wallet balance when it ends.',
  reward: 'Withdraw or transfer your daily rewards.',
  referral: 'Withdraw or transfer your referral rewards.',
  wallet: 'Withdraw or transfer your wallet balance.',
  bet: 'Move your bet wallet to your wallet balance.',
  withdrawal: 'A withdrawal is on its way. Wait until it is paid.',
  open_bet: 'You have a bet in a round that is not finished.',
  payment: 'A payment of yours is not booked yet.',
  held: 'Rewards or fees of yours are on hold.',
  due: 'Rewards that you have earned are not paid yet.',
  royalty: 'You have a royalty that you can still claim.',
  support: 'You asked support about money, and the answer is still open.',
} as const
export type Obstacle = keyof typeof obstacleWords

export type DeletionOrder = SignedTerms & { account: UserId; givenUp: Usdt }

/**
 * The message the user's wallet shows and signs (EIP-712, R11). An account can be deleted once, so no nonce has to be
 * stored; the deadline ends a signature that was refused.
 */
export const deletionTypedData = ({ account, givenUp, nonce, deadline, chainId }: DeletionOrder) => ({
  domain: { name: brand.name, version: '1', chainId },
  types: {
    AccountDeletion: [
      { name: 'action', type: 'string' },
      { name: 'account', type: 'string' },
      { name: 'givenUp', type: 'string' },
      { name: 'nonce', type: 'string' },
      { name: 'deadline', type: 'uint256' },
    ],
  } as const,
  primaryType: 'AccountDeletion' as const,
  message: {
    action: 'delete this account',
    account,
    givenUp: `${formatUsdt(givenUp)} USDT`,
    nonce,
    deadline: unixSeconds(deadline),
  },
})

const kept = z.array(z.strictObject({ what: z.string(), why: z.string() }))

export const deletion = {
  preview: route({
    method: 'POST',
    path: '/account_deletion/',
    summary: 'What stops the deletion of your account, what you would give up, and what is kept',
    auth: 'user',
    input: nothing,
    output: success({
      data: z.strictObject({
        obstacles: z.array(
          z.strictObject({
            obstacle: z.enum(Object.keys(obstacleWords) as [Obstacle, ...Obstacle[]]),
            amount: usdt.nullable(),
            until: instant.nullable(),
          }),
        ),
        /** What is left in your balances, too little to withdraw. You sign that you give it up. */
        given_up: usdt,
        kept,
      }),
    }),
  }),
  remove: route({
    method: 'POST',
    path: '/account_delete/',
    summary: 'Delete your account, signed by your wallet (EIP-712). This cannot be undone',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({
      /** What the user was shown and signed. Refused with `amount_mismatch` if the balances have changed since. */
      given_up: feeInput,
      ...walletSignature,
    }),
    output: success({ kept }),
    errors: ['deletion_refused', 'amount_mismatch', 'signature_refused', 'chain_unavailable'],
  }),
}

/** What is kept and why, without the names of tables. */
export const keptReasons = (): z.output<typeof kept> => keptRecords.map(({ what, why }) => ({ what, why }))
