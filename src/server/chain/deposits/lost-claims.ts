import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { Address } from '../../../protocol/ids.ts'
import { micro } from '../../../protocol/money.ts'
import { transaction } from '../../platform/db.ts'
import type { Hash } from '../tables.ts'
import { type Booker, closeClaim } from './book.ts'
import { type Claim, findClaim, lockHash } from './claims.ts'
import { proveDeposit } from './prove.ts'

const LOST_AFTER_HOURS = 24
const BATCH_MAX = 20

/** Closes claims that can no longer be credited: a failed transaction, another sender, a hash that was never mined. */
export async function closeLostClaims({ db, chain, owners }: Pick<Booker, 'db' | 'chain' | 'owners'>): Promise<void> {
  const { rows } = await sql<Row>`
    select c.tx_hash, c.user_number, c.amount,
           array(select u.wallet_address::text from (${owners}) u where u.user_number = c.user_number) as wallets,
           c.claimed_at < now() - ${LOST_AFTER_HOURS} * interval '1 hour' as "isLost"
    from chain_claims c where c.user_number is not null
      and c.state = 'waiting' and c.claimed_at < now() - interval '1 minute'
    order by random() limit ${BATCH_MAX}`.execute(db)
  for (const row of rows) {
    const reason = await whyLost(row)
    if (reason) await transaction(db, (tx) => failClaim(tx, row, reason))
  }

  /** A payment from a former wallet is good, too. */
  async function whyLost(row: Row): Promise<string | undefined> {
    let reason: string | undefined
    for (const wallet of row.wallets) {
      reason = await whyLostFrom(wallet, row)
      if (reason === undefined) return undefined
    }
    return reason
  }

  async function whyLostFrom(from: Address, row: Row): Promise<string | undefined> {
    try {
      const expected = { from, amount: micro(row.amount) }
      const { confirmations } = await proveDeposit(chain, row.tx_hash, expected)
      return row.isLost && confirmations === 0 ? 'The transaction was not mined within a day' : undefined
    } catch (error) {
      return error instanceof AppError && error.code === 'payment_refused' ? error.message : undefined
    }
  }

  async function failClaim(tx: Parameters<typeof lockHash>[0], row: Row, reason: string): Promise<void> {
    await lockHash(tx, row.tx_hash)
    const claim: Claim | undefined = await findClaim(tx, chain.settings.chainId, row.tx_hash, row.user_number)
    if (claim?.state === 'waiting') await closeClaim(tx, claim, 'failed', reason)
  }
}

type Row = { tx_hash: Hash; user_number: number; amount: bigint; wallets: Address[]; isLost: boolean }
