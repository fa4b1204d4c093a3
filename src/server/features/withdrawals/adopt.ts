import { AppError } from '../../../protocol/errors.ts'
import { WEI_PER_MICRO } from '../../../protocol/money.ts'
import type { Chain } from '../../chain/client.ts'
import { storeKnownPayout } from '../../chain/payouts/known.ts'
import { requireTypedSignature } from '../../chain/step-up.ts'
import type { Outflow, Signed } from '../../chain/treasury.ts'
import type { Db, Tx } from '../../platform/db.ts'
import type { WithdrawalRow } from './tables.ts'
import { signedData } from './verify.ts'
import { changeState } from './withdrawals.ts'

const refuse = (why: string) => new AppError('invalid_input', why)

/** States in which a restored database may hold a withdrawal that is paid on chain. */
const UNPAID: WithdrawalRow['state'][] = ['requested', 'signed', 'sent']

/** Checks that the user's wallet signed this withdrawal (R11). Call it outside a transaction. */
export async function requireSignedRequest(db: Db, chain: Chain, id: string): Promise<void> {
  const row = await db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('There is no withdrawal with this id')
  await requireTypedSignature(chain, row.to_address, signedData(chain, row), row.signature)
}

/** Gives a withdrawal back the payout that is on chain already. The watcher then settles it as paid. */
export async function adoptPayout(tx: Tx, chain: Chain, signed: Signed, id: string): Promise<void> {
  const row = await tx.selectFrom('withdrawals').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw refuse('There is no withdrawal with this id')
  if (row.state === 'waiting') throw refuse('This withdrawal waits for approval. Approve it first.')
  if (!UNPAID.includes(row.state)) throw refuse(`This withdrawal is ${row.state}`)
  const { pays } = signed
  if (pays?.vaultId) throw refuse('The vault paid this. The worker settles it by its id.')
  if (pays?.to !== row.to_address || pays.valueWei !== row.net * WEI_PER_MICRO)
    throw refuse('The transaction does not pay the address and amount of this withdrawal')
  await changeState(tx, id, ['requested'], 'signed')
  await storeKnownPayout(tx, chain, { reference: id, to: row.to_address, amount: row.net }, signed)
}

/** The unpaid withdrawals that a payment may belong to: same address, same amount. */
export async function listCandidates(db: Db, { to, valueWei }: Outflow): Promise<string[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select(['id', 'net'])
    .where('to_address', '=', to)
    .where('state', 'in', UNPAID)
    .orderBy('requested_at')
    .execute()
  return rows.filter(({ net }) => (net * WEI_PER_MICRO).toString() === valueWei).map(({ id }) => id)
}
