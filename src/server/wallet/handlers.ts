import { sql } from 'kysely'
import { z } from 'zod'
import type { Usdt } from '../../protocol/money.ts'
import { PAGE_SIZE } from '../../protocol/route.ts'
import type { wallet } from '../../protocol/wallet.ts'
import { readGas } from '../chain/gas.ts'
import { claimTransfer } from '../chain/transfers.ts'
import { proveTransfer } from '../chain/transfers-prove.ts'
import type { Context, Handlers } from '../context.ts'
import { transaction } from '../platform/db.ts'

export const handlers: Handlers<typeof wallet> = {
  gas: async ({ chain, user }) => {
    const gas = await readGas(chain, user.walletAddress)
    const Msg = gas.low ? 'Your wallet is low on BNB: sending USDT may fail' : 'Your wallet has enough BNB'
    return { status: 'success', Msg, ...gas }
  },

  deposit: async ({ db, chain, user }, { trans_hash: txHash, amount }) => {
    const proof = await proveTransfer(chain, txHash, { from: user.walletAddress, amount })
    const wanted = { userNumber: user.number, product: 'wallet', txHash, amount } as const
    const { state, note } = await transaction(db, (tx) => claimTransfer(tx, chain, wanted))
    const Msg = note ?? (state === 'credited' ? 'Your deposit is in your balance' : 'Your deposit is on its way')
    return { status: 'success', Msg, state, confirmations: proof.confirmations, confirmations_needed: proof.needed }
  },

  deposits: async ({ db, user }, { page_no }) => {
    const { rows, total } = await listDeposits(db, user, page_no)
    return { status: 'success', Msg: 'Your deposits', data: rows, page_no, page_size: PAGE_SIZE, total }
  },

  market: async ({ config }) => ({
    status: 'success',
    Msg: 'Price of JW in USDT',
    ...(await askMarket(config.marketUrl)),
  }),
}

type Deposit = {
  trans_hash: string
  amount: Usdt
  product: 'plan' | 'bet' | 'wallet'
  state: 'waiting' | 'credited' | 'diverted' | 'failed'
  note: string | null
  date: Date
}

/** What was announced, and what arrived without being announced. */
async function listDeposits(db: Context['db'], user: { number: number; walletAddress: string }, pageNo: number) {
  const all = sql`
    select tx_hash as trans_hash, amount, product, state, note, claimed_at as date
    from chain_claims where user_number = ${user.number}
    union all
    select t.tx_hash, b.amount, 'wallet', 'credited', null, t.happened_at
    from chain_transfers t join chain_bookings b on b.transfer_id = t.id
    where t.direction = 'in' and t.from_address = ${user.walletAddress} and b.kind = 'chain_deposit'
      and b.claim_id is null and not exists (
        select from chain_claims c where c.tx_hash = t.tx_hash and c.user_number = ${user.number})`
  const { rows } = await sql<Deposit>`
    select * from (${all}) order by date desc limit ${PAGE_SIZE} offset ${(pageNo - 1) * PAGE_SIZE}`.execute(db)
  const { rows: counts } = await sql<{ total: bigint }>`select count(*) as total from (${all})`.execute(db)
  return { rows, total: Number(counts[0]?.total ?? 0n) }
}

const MARKET_TIMEOUT_MS = 2_000
const marketReply = z.object({ Current_Jw_MKT_Price: z.string(), age_seconds: z.int(), stale: z.boolean() })

/** A dead or talkative market service costs nothing but the price. */
async function askMarket(url: string | undefined) {
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
