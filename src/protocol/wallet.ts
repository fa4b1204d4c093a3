import { z } from 'zod'
import { txHash } from './ids.ts'
import { usdt, usdtInput } from './money.ts'
import { nothing, page, pageInput, route, success } from './route.ts'
import { instant } from './time.ts'

/** A deposit to the wallet balance: on its way, there, or gone another way with a note that says which. */
export const depositState = z.enum(['waiting', 'credited', 'diverted', 'failed'])

export const wallet = {
  gas: route({
    method: 'POST',
    path: '/BNBStaus_update/',
    summary: 'The BNB of this wallet, read from chain, and whether it is enough to send USDT',
    auth: 'user',
    input: nothing,
    output: success({ bnb: z.string(), bnb_needed: z.string(), low: z.boolean() }),
    errors: ['chain_unavailable'],
  }),
  deposit: route({
    method: 'POST',
    path: '/wallet_deposit/',
    summary:
      'Announce USDT sent from this wallet to the support address: it is credited to the wallet balance when final',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({ trans_hash: txHash, amount: usdtInput }),
    output: success({ state: depositState, confirmations: z.int(), confirmations_needed: z.int() }),
    errors: ['chain_transfer_refused', 'chain_transfer_used', 'chain_unavailable'],
  }),
  deposits: route({
    method: 'POST',
    path: '/wallet_deposits/',
    summary: 'USDT this wallet sent to the support address, newest first, with what became of it',
    auth: 'user',
    input: pageInput,
    output: page(
      z.strictObject({
        trans_hash: z.string(),
        amount: usdt,
        /** Where it went: a plan, the bet wallet, the wallet balance. */
        product: z.enum(['plan', 'bet', 'wallet']),
        state: depositState,
        note: z.string().nullable(),
        date: instant,
      }),
    ),
  }),
  market: route({
    method: 'GET',
    path: '/market/',
    summary: 'The live rate of JW from the market price service, with its age; says so when it is old or missing',
    auth: 'none',
    input: nothing,
    output: success({
      Current_Jw_MKT_Price: z.string().nullable(),
      age_seconds: z.int().nullable(),
      state: z.enum(['live', 'stale', 'dead']),
    }),
  }),
}
