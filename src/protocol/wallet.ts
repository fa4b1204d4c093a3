import { z } from 'zod'
import { address, txHash } from './ids.ts'
import { usdt, usdtInput } from './money.ts'
import { type Network, networkNames } from './networks.ts'
import { nothing, page, pageInput, route, success } from './route.ts'
import { instant } from './time.ts'
import { rpcRequest } from './wallet-rpc.ts'

const token = z.strictObject({ address, decimals: z.int() })

/** State of a deposit. `diverted`: credited to the wallet balance instead of its product; the note says why. */
const depositState = z.enum(['waiting', 'credited', 'diverted', 'failed'])

/** A payment to a personal deposit address (server/chain/deposits/arrivals.ts). */
const arrival = z.strictObject({
  trans_hash: z.string(),
  /** The transfer's place among the logs of its block: one transaction may pay twice. */
  log_index: z.int(),
  amount: usdt,
  state: z.enum(['seen', 'small', 'moving', 'credited', 'returned']),
  confirmations: z.int(),
})

export const wallet = {
  chain: route({
    method: 'GET',
    path: '/chain/',
    summary: 'The network, its tokens and the address that receives deposits',
    auth: 'none',
    input: nothing,
    output: success({
      network: z.enum(Object.keys(networkNames) as Network[]),
      network_name: z.string(),
      chain_id: z.int(),
      tokens: z.strictObject({ usdt: token, jw: token, jwc: token }),
      support: address,
      explorer: z.string().nullable(),
      faucet: z.boolean(),
      demo_wallet: z.boolean(),
      /** The operator's project id at WalletConnect. Null: this product does not offer it. */
      walletconnect: z.string().nullable(),
    }),
  }),
  rpc: route({
    method: 'POST',
    path: '/rpc/',
    summary: 'Allow-listed read and send methods of the chain node (JSON-RPC)',
    auth: 'none',
    limit: 'play',
    input: rpcRequest,
    output: z.looseObject({ jsonrpc: z.literal('2.0'), id: z.union([z.int(), z.string()]) }),
    errors: ['chain_unavailable'],
  }),
  faucet: route({
    method: 'POST',
    path: '/dev/faucet/',
    summary: 'Test BNB, USDT, JW and JWC (development network only)',
    auth: 'none',
    limit: 'auth',
    input: z.strictObject({ wallet_address: address }),
    output: success({ transactions: z.array(z.string()) }),
    errors: ['not_found', 'chain_unavailable'],
  }),
  gas: route({
    method: 'POST',
    path: '/BNBStaus_update/',
    summary: 'The BNB balance of your wallet on chain, and whether it is enough to send USDT',
    auth: 'user',
    input: nothing,
    output: success({ bnb: z.string(), bnb_needed: z.string(), low: z.boolean() }),
    errors: ['chain_unavailable'],
  }),
  deposit: route({
    method: 'POST',
    path: '/wallet_deposit/',
    summary:
      'Report USDT sent from your wallet to the support address. It is credited to your wallet balance once it is final',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({ trans_hash: txHash, amount: usdtInput }),
    output: success({ state: depositState, confirmations: z.int(), confirmations_needed: z.int() }),
    errors: ['payment_refused', 'payment_used', 'chain_unavailable'],
  }),
  depositAddress: route({
    method: 'GET',
    path: '/deposit-address/',
    summary:
      'Your personal deposit address: USDT sent to it from anywhere goes to your wallet balance. With the newest payments',
    auth: 'user',
    input: nothing,
    output: success({
      address,
      vault: address,
      /** Less than this is not moved to the vault, and not credited, until more arrives. */
      minimum: usdt,
      confirmations_needed: z.int(),
      /** The vault's exits are open: the address pays your own wallet, and nothing is credited any more. */
      exits_open: z.boolean(),
      payments: z.array(arrival),
    }),
    errors: ['chain_unavailable'],
  }),
  deposits: route({
    method: 'POST',
    path: '/wallet_deposits/',
    summary: 'USDT that your wallet or your deposit address sent to the vault, newest first, with its state',
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
    summary: 'The live rate of JW from the market price service, with its age, and whether it is stale or missing',
    auth: 'none',
    input: nothing,
    output: success({
      Current_Jw_MKT_Price: z.string().nullable(),
      age_seconds: z.int().nullable(),
      state: z.enum(['live', 'stale', 'dead']),
    }),
  }),
}
