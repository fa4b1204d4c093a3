import { sql } from 'kysely'
import { z } from 'zod'
import { networkNames } from '../../../protocol/networks.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import type { wallet } from '../../../protocol/wallet.ts'
import { TOKEN_DECIMALS } from '../../chain/client.ts'
import { readArrivals } from '../../chain/deposits/arrivals.ts'
import { claimDeposit } from '../../chain/deposits/claims.ts'
import { askForAddress } from '../../chain/deposits/personal.ts'
import { proveDeposit, withNode } from '../../chain/deposits/prove.ts'
import { areExitsOpen } from '../../chain/deposits/sweep.ts'
import { giveTestMoney } from '../../chain/faucet.ts'
import { readGas } from '../../chain/gas.ts'
import type { Handlers, User } from '../../context.ts'
import { type History, readPage } from '../../platform/history.ts'
import { callPublicNode } from './rpc.ts'

export const handlers: Handlers<typeof wallet> = {
  chain: async ({ config }) => {
    const { chain } = config
    const token = (name: keyof typeof TOKEN_DECIMALS) => ({ address: chain[name], decimals: TOKEN_DECIMALS[name] })
    return {
      status: 'success',
      Msg: 'Network',
      network: config.network,
      network_name: networkNames[config.network],
      chain_id: chain.chainId,
      tokens: { usdt: token('usdt'), jw: token('jw'), jwc: token('jwc') },
      support: chain.vault,
      explorer: chain.explorerUrl ?? null,
      faucet: chain.faucetKey !== undefined,
      demo_wallet: config.network === 'development',
      walletconnect: config.walletConnectProjectId ?? null,
    }
  },

  rpc: (context, input) => callPublicNode(context, context.network, input),

  faucet: async ({ chain }, { wallet_address }) => {
    const transactions = await giveTestMoney(chain, wallet_address)
    return { status: 'success', Msg: 'Test money is in your wallet', transactions }
  },

  gas: async ({ chain, user }) => {
    const gas = await readGas(chain, user.walletAddress)
    const Msg = gas.low ? 'Your wallet is low on BNB, so sending USDT may fail' : 'Your wallet has enough BNB'
    return { status: 'success', Msg, ...gas }
  },

  deposit: async ({ change, chain, user }, { trans_hash: txHash, amount }) => {
    const proof = await proveDeposit(chain, txHash, { from: user.walletAddress, amount })
    const wanted = { payer: user, product: 'wallet', txHash, amount } as const
    const progress = { confirmations: proof.confirmations, confirmations_needed: proof.needed }
    return change(async (tx) => {
      const { state, note } = await claimDeposit(tx, chain, wanted)
      const Msg = note ?? (state === 'credited' ? 'Your deposit is in your balance' : 'Your deposit is on its way')
      return { status: 'success', Msg, state, ...progress }
    })
  },

  depositAddress: async ({ db, chain, config, user }) => {
    const address = await askForAddress(db, chain, user)
    const [{ payments, needed }, exits_open] = await Promise.all([
      readArrivals(db, chain, address, config.depositMin),
      withNode(() => areExitsOpen({ ...chain, client: chain.reader })),
    ])
    return {
      status: 'success',
      Msg: 'Your deposit address',
      address,
      vault: chain.settings.vault,
      minimum: config.depositMin,
      confirmations_needed: needed,
      exits_open,
      payments: payments.map(({ txHash, logIndex, ...rest }) => ({ trans_hash: txHash, log_index: logIndex, ...rest })),
    }
  },

  deposits: async ({ db, user }, input) => ({
    status: 'success',
    Msg: 'Your deposits',
    ...(await readPage(db, depositHistory(user), input)),
  }),

  market: async ({ config }) => ({
    status: 'success',
    Msg: 'Price of JW in USDT',
    ...(await readMarketPrice(config.marketUrl)),
  }),
}

type Deposit = OutputOf<typeof wallet.deposits>['data'][number]

/** Deposits the user claimed, and payments from one of their wallets or deposit addresses that arrived without a claim. */
const depositHistory = ({ number }: User): History<Deposit, Deposit> => ({
  name: 'deposits',
  owner: number,
  filters: [],
  // A payment without a claim has the time of its block, which can be long ago when it is booked.
  changesFrom: null,
  at: 'date',
  order: ['date', 'trans_hash'],
  rows: () => sql`
    select tx_hash as trans_hash, amount, product, state, note, claimed_at as date
    from chain_claims where user_number = ${number}
    union all
    -- Operators credited these to the user.
    select tx_hash, amount, 'wallet', state, note, claimed_at
    from chain_claims where product = 'operator' and details ->> 'user' = ${String(number)}
    union all
    select t.tx_hash, b.amount, 'wallet', 'credited', null, t.happened_at
    from chain_payments t join chain_bookings b on b.payment_id = t.id
    where t.direction = 'in' and b.kind = 'chain_deposit' and t.from_address in (
        select wallet_address from user_wallets where user_number = ${number}
        union all select address from chain_deposit_addresses where user_number = ${number})
      -- A deleted account may have had the same wallet.
      and b.booked_at >= (select created_at from users where number = ${number})
      and b.claim_id is null and not exists (
        select from chain_claims c where c.tx_hash = t.tx_hash and c.user_number = ${number})`,
  rowOf: (row) => row,
})

const MARKET_TIMEOUT_MS = 2_000
const marketReply = z.object({ Current_Jw_MKT_Price: z.string(), age_seconds: z.int(), stale: z.boolean() })

/** If the market service is down or sends an invalid reply, only the price is missing. */
async function readMarketPrice(url: string | undefined) {
  const dead = { Current_Jw_MKT_Price: null, age_seconds: null, state: 'dead' as const }
  if (!url) return dead
  try {
    const reply = await fetch(new URL('/update_market_price/', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(MARKET_TIMEOUT_MS),
    })
    const { stale, ...price } = marketReply.parse(await reply.json())
    return { ...price, state: stale ? ('stale' as const) : ('live' as const) }
  } catch {
    return dead
  }
}
