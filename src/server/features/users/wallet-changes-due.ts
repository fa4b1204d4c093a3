import { type Selectable, sql } from 'kysely'
import type { UserId } from '../../../protocol/ids.ts'
import { walletChangeTypedData } from '../../../protocol/wallet-changes.ts'
import { isSignedByWallet } from '../../chain/step-up.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/db.ts'
import { publish, SIGNED_OUT } from '../../platform/events.ts'
import { type Job, MINUTE_MS } from '../../platform/jobs.ts'
import { addNews } from '../../platform/news.ts'
import type { UsersTables } from './tables.ts'

type Worker = Pick<Context, 'db' | 'chain' | 'log'>

export const walletChangeJob = (worker: Worker): Job => ({
  name: 'change-wallets',
  everyMs: MINUTE_MS,
  run: () => doDueChanges(worker),
})

/** The columns of a change `c` that its message is made of. */
export type SignedChange = { account: UserId } & Pick<
  Selectable<UsersTables['wallet_changes']>,
  'id' | 'user_number' | 'from_wallet' | 'to_wallet' | 'nonce' | 'deadline' | 'from_signature' | 'to_signature'
>
export const signedColumns = sql`c.id, u.id as account, c.user_number, c.from_wallet, c.to_wallet, c.nonce, c.deadline,
  c.from_signature, c.to_signature`

/** The message of a row, and the two wallets that must have signed it. */
export function signaturesOf(row: SignedChange, chainId: number) {
  const { account, from_wallet: from, to_wallet: to, nonce, deadline } = row
  const data = walletChangeTypedData({ account, from, to, nonce, deadline, chainId })
  return [
    { wallet: from, data, signature: row.from_signature },
    { wallet: to, data, signature: row.to_signature },
  ]
}

/** Does every change whose delay is over. One that cannot be done now stays due, and does not hold up the others. */
export async function doDueChanges({ db, chain, log }: Worker): Promise<void> {
  const { rows } = await sql<SignedChange>`
    select ${signedColumns} from wallet_changes c join users u on u.number = c.user_number
    where c.cancelled_at is null and c.done_at is null and c.takes_effect_at <= clock_timestamp()
      and u.frozen_at is null
    order by c.takes_effect_at`.execute(db)
  for (const row of rows) {
    try {
      await doChange({ db, chain, log }, row)
    } catch (error) {
      log.error({ err: error, change: row.id }, 'a change of wallet could not be done and will be retried')
    }
  }
}

/** A row is not believed (R22): the API could have stored one without signatures. */
async function doChange({ db, chain, log }: Worker, row: SignedChange): Promise<void> {
  for (const { wallet, data, signature } of signaturesOf(row, chain.settings.chainId))
    if (!(await isSignedByWallet(chain, wallet, data, signature)))
      return log.error({ change: row.id, wallet }, 'a change of wallet is not signed by this wallet')
  await transaction(db, async (tx) => {
    const { rows } = await sql<{ done: Date | null }>`select wallet_change_do(${row.id}) as done`.execute(tx)
    if (!rows[0]?.done) return
    const { user_number: user, to_wallet: wallet } = row
    await addNews(tx, { kind: 'wallet_changed', user, key: row.id, facts: { wallet } })
    await publish(tx, { topic: 'wallet-change', user }, { topic: SIGNED_OUT, user })
  })
}
