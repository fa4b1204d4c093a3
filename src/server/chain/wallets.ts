import { erc20Abi } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import { type Db, type Tx, transaction } from '../platform/db.ts'
import { findHotWallet } from './addresses.ts'
import type { Chain } from './client.ts'
import type { Hash } from './tables.ts'

/** The addresses in the settings: the vault and the hot wallet. */
export function configuredWallets(chain: Chain): Address[] {
  const { vault } = chain.settings
  const hot = findHotWallet(chain)
  return hot && hot !== vault ? [vault, hot] : [vault]
}

/** The addresses whose USDT the ledger's `custody` mirrors: those in the settings, now or earlier. */
export async function listWallets(db: Db, chain: Chain): Promise<Address[]> {
  const followed = await listFollowed(db, chain)
  return followed.length > 0 ? followed : configuredWallets(chain)
}

async function listFollowed(db: Db, { settings }: Chain): Promise<Address[]> {
  const rows = await db
    .selectFrom('chain_wallets')
    .select('address')
    .where('chain_id', '=', BigInt(settings.chainId))
    .orderBy('added_at')
    .execute()
  return rows.map(({ address }) => address)
}

/** The total USDT of these addresses at one block. */
export async function readHoldings({ client, settings }: Chain, owners: Address[], blockHash: Hash): Promise<bigint> {
  const query = { address: settings.usdt, abi: erc20Abi, functionName: 'balanceOf', blockHash } as const
  const held = await Promise.all(owners.map((owner) => client.readContract({ ...query, args: [owner] })))
  return held.reduce((sum, wei) => sum + wei, 0n)
}

/** Returns false if the address was known already. */
export async function insertWallet(tx: Tx, { settings }: Chain, address: Address): Promise<boolean> {
  const inserted = await tx
    .insertInto('chain_wallets')
    .values({ chain_id: BigInt(settings.chainId), address })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/**
 * Addresses in the settings that are not followed yet, for example after the hot wallet's key was replaced. The first
 * ones are stored here: what they held at the start of the watcher is recorded already.
 */
export async function listNewWallets(db: Db, chain: Chain): Promise<Address[]> {
  const [followed, configured] = [await listFollowed(db, chain), configuredWallets(chain)]
  if (followed.length > 0) return configured.filter((address) => !followed.includes(address))
  await transaction(db, async (tx) => {
    for (const address of configured) await insertWallet(tx, chain, address)
  })
  return []
}
