import { type RawBuilder, sql } from 'kysely'
import { concatHex, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import { DEPOSIT_CODE, DEPOSIT_FACTORY } from '../../../verifier/deposit-code.ts'
import { create2Address } from '../../embedded/deposit-code.ts'
import type { Db } from '../../platform/db.ts'
import type { Chain } from '../client.ts'
import type { WalletOwners } from './book.ts'

/**
 * Personal deposit addresses. An exchange does not send from the user's wallet, so each user has an address of their own
 * (contracts/DepositAddress.sol). It is computed from the vault and the user's wallet. What arrives there is moved to the
 * vault (sweep.ts). That is a payment to us from a sender we know, so it is booked like any other (book.ts), once.
 */
export const DEPOSIT_FACTORY_ADDRESS: Address = DEPOSIT_FACTORY
const parameters = parseAbiParameters('address, address')

/** The deposit address of a wallet. The verifier has the same rule, without dependencies. */
export const personalAddressOf = (vault: Address, wallet: Address): Address =>
  create2Address(DEPOSIT_FACTORY, concatHex([DEPOSIT_CODE, encodeAbiParameters(parameters, [vault, wallet])]))

/** Stores that the user has asked for their address: from now on the worker reads what it holds. */
export async function askForAddress(
  db: Db,
  { settings }: Chain,
  user: { number: number; walletAddress: Address },
): Promise<Address> {
  const { chainId, vault } = settings
  const address = personalAddressOf(vault, user.walletAddress)
  const { rows } = await sql`
    insert into chain_deposit_addresses as known (address, chain_id, vault, user_number, wallet)
    values (${address}, ${chainId}, ${vault}, ${user.number}, ${user.walletAddress})
    on conflict (address) do update set asked_at = now() where known.user_number = excluded.user_number
    returning 1`.execute(db)
  if (rows.length === 0) throw new Error(`the deposit address ${address} is stored for another user`)
  return address
}

/** The user who has or had this wallet. A subquery, because a join would read all users. */
export const ownerOf = (owners: WalletOwners, wallet: string): RawBuilder<number | null> =>
  sql`(select u.user_number from (${owners}) u where u.wallet_address = ${sql.ref(wallet)})`

/**
 * Who sent a payment `t`: a user's wallet, or the deposit address of one, also of a former wallet. A row of this table is
 * believed only after a check.
 */
export const payerOf = (owners: WalletOwners): RawBuilder<unknown> => sql`
  select user_number, null as wallet from (${owners}) u where u.wallet_address = t.from_address
  union all
  select d.user_number, d.wallet from chain_deposit_addresses d
  where d.address = t.from_address and d.user_number = ${ownerOf(owners, 'd.wallet')}
  order by wallet nulls first limit 1`

/** Throws if this is not the deposit address of that wallet: a forged row must not send money to another user. */
export function requirePersonal(address: Address, vault: Address, wallet: Address): void {
  if (personalAddressOf(vault, wallet) === address) return
  throw new Error(`${address} is stored as a deposit address of ${wallet}, but it is not`)
}
