import { parseTransaction } from 'viem'
import { AppError } from '../../../protocol/errors.ts'
import type { Tx } from '../../platform/db.ts'
import type { Chain } from '../client.ts'
import type { Signed } from '../treasury.ts'
import { listWallets } from '../wallets.ts'
import { GAS_MAX, type Payout } from './payouts.ts'

/** Stores a payout that is on chain already, from the bytes that our key signed. The watcher then settles it. */
export async function storeKnownPayout(tx: Tx, chain: Chain, payout: Payout, signed: Signed): Promise<void> {
  const { wallet, nonce, hash, raw } = signed
  if (!(await listWallets(tx, chain)).includes(wallet))
    throw new AppError('invalid_input', 'This transaction was not sent by one of our wallets')
  const place = { chain_id: BigInt(chain.settings.chainId), wallet, nonce }
  const { reference, to, amount } = payout
  await tx
    .insertInto('chain_payouts')
    .values({ ...place, reference, to_address: to, amount })
    // A restored database may know the payout, but not the attempt with the higher fee that was mined.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await tx.selectFrom('chain_payouts').selectAll().where('reference', '=', reference).executeTakeFirst()
  if (stored?.wallet !== wallet || stored.nonce !== nonce)
    throw new AppError('invalid_input', 'This withdrawal has another payout, or its nonce is used by another one')
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, gas = GAS_MAX } = parseTransaction(raw)
  await tx
    .insertInto('chain_payout_attempts')
    .values({
      ...place,
      tx_hash: hash,
      raw,
      fee_max_wei: maxFeePerGas.toString(),
      tip_max_wei: maxPriorityFeePerGas.toString(),
      gas_max: gas,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
