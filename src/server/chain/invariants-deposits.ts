import { sql } from 'kysely'
import type { Address } from '../../protocol/ids.ts'
import { userAccount } from '../ledger/accounts.ts'
import { type Part, within } from '../ledger/parts.ts'
import type { Tx } from '../platform/db.ts'
import { personalAddressOf } from './deposits/personal.ts'

/** Invariant 33: a stored deposit address is the one of its user, and what came from it went to that user's wallet. */
export async function wrongDepositAddresses(tx: Tx, part?: Part): Promise<string[]> {
  const stored = await within(part, ['chain_deposit_addresses'], storedAddresses).execute(tx)
  const booked = await within(part, ['chain_bookings', 'ledger_entries'], bookedDeposits).execute(tx)
  const isOf = ({ address, vault, wallet }: Stored) => wallet !== null && personalAddressOf(vault, wallet) === address
  return [
    ...stored.rows
      .filter((row) => !isOf(row))
      .map(({ address, user }) => `${address} is stored as the deposit address of user ${user}, but it is not`),
    ...booked.rows
      .filter(({ account, user }) => account !== userAccount(user, 'wallet'))
      .map(
        ({ payment, user }) => `payment ${payment} came from the deposit address of user ${user}, who did not get it`,
      ),
  ]
}

type Stored = { address: Address; vault: Address; user: number; wallet: Address | null }
const storedAddresses = sql<Stored>`
  select d.address, d.vault, d.user_number as user, case when d.user_number =
    (select user_number from user_wallets u where u.wallet_address = d.wallet) then d.wallet end as wallet
  from chain_deposit_addresses d`

/**
 * Less than one micro-USDT is booked without a posting. Before the user asked for the address no process knew whose it is,
 * so operators may have booked it in another way.
 */
const bookedDeposits = sql<{ payment: string; user: number; account: bigint | null }>`
  select t.id as payment, d.user_number as user, e.account_id as account
  from chain_bookings b join chain_payments t on t.id = b.payment_id
    join chain_deposit_addresses d on d.address = t.from_address
    left join ledger_entries e on (e.kind, e.reference) = (b.kind, b.reference) and e.amount > 0
  where t.direction = 'in' and b.amount > 0 and b.tx >= d.tx`
