import { type Block, parseEventLogs } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import { micro, type Usdt } from '../../../protocol/money.ts'
import type { Tx } from '../../platform/db.ts'
import type { Chain } from '../client.ts'
import type { Hash } from '../tables.ts'
import { vaultAbi } from '../vault-abi.ts'

type Place = { vault: Address; id: Hash; block: bigint; txHash: Hash; happenedAt: Date }
/** An id that the vault paid or voided. */
export type VaultEvent = Place & ({ name: 'Paid'; wallet: Address; amount: Usdt } | { name: 'Voided' })

/** What our vaults paid and voided in one block. Queried by block hash: a lagging node then throws. */
export async function readVaultEvents(
  { client }: Chain,
  ours: Address[],
  block: Block<bigint, false, 'finalized'>,
): Promise<VaultEvent[]> {
  const logs = await client.getLogs({ address: ours, blockHash: block.hash })
  const happenedAt = new Date(Number(block.timestamp) * 1000)
  return parseEventLogs({ abi: vaultAbi, logs, eventName: ['Paid', 'Voided'] }).map((log) => {
    if (log.blockHash !== block.hash) throw new Error('the node returned an event of another block')
    const vault = log.address.toLowerCase() as Address
    const place = { vault, id: log.args.id, block: block.number, txHash: log.transactionHash, happenedAt }
    if (log.eventName === 'Voided') return { ...place, name: log.eventName }
    const { to, amount } = log.args
    return { ...place, name: log.eventName, wallet: to.toLowerCase() as Address, amount: micro(amount) }
  })
}

/** Stores each event once: the vault never uses an id twice. */
export async function insertVaultEvents(tx: Tx, { settings }: Chain, events: VaultEvent[]): Promise<void> {
  const chain_id = BigInt(settings.chainId)
  for (const event of events) {
    const row = { chain_id, vault: event.vault, id: event.id, block: event.block, tx_hash: event.txHash }
    if (event.name === 'Voided') await tx.insertInto('vault_voids').values(row).execute()
    else {
      const { wallet, amount, happenedAt } = event
      await tx
        .insertInto('vault_payments')
        .values({ ...row, wallet, micro: amount, happened_at: happenedAt })
        .execute()
    }
  }
}
