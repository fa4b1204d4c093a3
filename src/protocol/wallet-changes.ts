import { z } from 'zod'
import { brand } from './brand.ts'
import { type Address, address, type UserId, userId } from './ids.ts'
import { nothing, route, success } from './route.ts'
import { instant } from './time.ts'
import { type SignedTerms, unixSeconds, walletSignature } from './wallet-signature.ts'

/** How long a change of wallet waits, so that its user can stop one that a thief asked for. The database has it too. */
export const WALLET_CHANGE_HOURS = 48

export type WalletChangeOrder = SignedTerms & { account: UserId; from: Address; to: Address }

/** The message that the old and the new wallet both show and sign (EIP-712, R11). */
export const walletChangeTypedData = ({ account, from, to, nonce, deadline, chainId }: WalletChangeOrder) => ({
  domain: { name: brand.name, version: '1', chainId },
  types: {
    WalletChange: [
      { name: 'action', type: 'string' },
      { name: 'account', type: 'string' },
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'nonce', type: 'string' },
      { name: 'deadline', type: 'uint256' },
    ],
  } as const,
  primaryType: 'WalletChange' as const,
  message: {
    action: 'change the wallet of my account',
    account: userId.encode(account),
    from,
    to,
    nonce,
    deadline: unixSeconds(deadline),
  },
})

const { nonce, deadline, signature } = walletSignature

const change = z.strictObject({ to_wallet: address, asked_at: instant, takes_effect_at: instant })
export type WalletChange = z.output<typeof change>

export const walletChanges = {
  walletChange: route({
    method: 'POST',
    path: '/wallet_change/',
    summary: 'The change of your wallet that is waiting, and your former wallets',
    auth: 'user',
    input: nothing,
    output: success({ waiting: change.nullable(), former: z.array(address) }),
  }),
  askForWallet: route({
    method: 'POST',
    path: '/wallet_change/request/',
    summary: `Change the wallet of your account in ${WALLET_CHANGE_HOURS} hours, signed by both wallets (EIP-712)`,
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({
      to_wallet: address,
      nonce,
      deadline,
      signature,
      /** By the new wallet, over the same message. */
      new_signature: signature,
    }),
    output: success({ waiting: change }),
    errors: ['signature_refused', 'wallet_taken', 'already_recorded'],
  }),
  stopWalletChange: route({
    method: 'POST',
    path: '/wallet_change/cancel/',
    summary: 'Stop the change of your wallet that is waiting',
    auth: 'user',
    changes: true,
    // Stopping a change keeps everything as it is.
    evenFrozen: true,
    limit: 'protect',
    input: nothing,
    output: success({}),
    errors: ['not_found'],
  }),
}
