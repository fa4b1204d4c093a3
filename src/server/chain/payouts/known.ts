import { parseTransaction } from 'viem'
import { AppError } from '../../../protocol/errors.ts'
import type { Tx } from '../../platform/db.ts'
import type { Chain } from '../client.ts'
import type { Signed } from '../treasury.ts'
import { listWallets } from '../wallets.ts'
import { GAS_MAX, type OpenPayout } from './payouts.ts'

type Known = Pick<OpenPayout, 'reference' | 'to' | 'amount'>

/** Stores a payout that is on chain already, from the bytes that our key signed. The watcher then settles it. */
export async function storeKnownPayout(tx: Tx, chain: Chain, payout: Known, signed: Signed): Promise<void> {
  const { wallet, nonce, hash, raw, pays } = signed
  if (!(await listWallets(tx, chain)).includes(wallet))
    throw new AppError('invalid_input', 'This transaction was not sent by one of our wallets')
  const place = { chain_id: BigInt(chain.settings.chainId), wallet, nonce }
  const { reference, to, amount } = payout
  await tx
    .insertInto('chain_payouts')
    .values({ ...place, reference, to_address: to, amount, ...callOf(chain, pays) })
    // A restored database may know the payout, but not the attempt with the higher fee that was mined.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const query = tx.selectFrom('chain_payouts').select('reference').where('nonce', '=', nonce)
  const stored = await query.where('chain_id', '=', place.chain_id).where('wallet', '=', wallet).executeTakeFirst()
  if (stored?.reference !== reference)
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

const callOf = ({ settings }: Chain, pays: Signed['pays']) =>
  pays?.vaultId ? { vault: settings.vault, vault_id: pays.vaultId } : { vault: null, vault_id: null }
