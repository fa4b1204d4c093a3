import { sql } from 'kysely'
import { parseAbiItem } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import { micro, type Usdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import type { Db } from '../../platform/db.ts'
import type { Chain } from '../client.ts'
import type { Hash } from '../tables.ts'
import { neededOf, readFinalHead, withNode } from './prove.ts'

/** How far back payments are shown: hours, and two queries to a node. The history of deposits has all of them. */
const BLOCKS_BACK = 5_000n
const SHOWN_MAX = 20
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/**
 * A payment to a deposit address, as a node reports it now. `seen`: it waits to be moved. `small`: what waits is less than
 * the minimum. `moving`: it is on its way to the vault, with the confirmations of that transaction. `returned`: exits are
 * open, and it went to the user's own wallet.
 */
type Arrival = {
  txHash: Hash
  logIndex: number
  amount: Usdt
  state: 'seen' | 'small' | 'moving' | 'credited' | 'returned'
  confirmations: number
}
export type Arrivals = { payments: Arrival[]; needed: number }

type Transfer = { txHash: Hash; to: Address; wei: bigint; block: bigint; at: number }

/** The newest payments to a deposit address, newest first. Nothing is stored: the chain and the bookings say it all. */
export async function readArrivals(db: Db, chain: Chain, address: Address, minimum: Usdt): Promise<Arrivals> {
  return withNode(async () => {
    const shown = { ...chain, client: chain.reader }
    const head = await readFinalHead(shown)
    const fromBlock = head.latest > BLOCKS_BACK ? head.latest - BLOCKS_BACK : 0n
    const list = (args: { from: Address } | { to: Address }) => listTransfers(shown, args, fromBlock)
    const [arrived, swept] = await Promise.all([list({ to: address }), list({ from: address })])
    const credited = await listCredited(db, address, swept)
    const waiting = arrived.filter((payment) => !findSweep(swept, payment))
    const isSmall = waiting.reduce((sum, { wei }) => sum + wei, 0n) < minimum * WEI_PER_MICRO
    const payments = arrived.toReversed().slice(0, SHOWN_MAX)
    return { needed: neededOf(head), payments: payments.map(stateOf) }

    function stateOf(payment: Transfer): Arrival {
      const { txHash, at: logIndex } = payment
      const shownAs = { txHash, logIndex, amount: micro(payment.wei / WEI_PER_MICRO) }
      const sweep = findSweep(swept, payment)
      if (!sweep) return { ...shownAs, state: isSmall ? 'small' : 'seen', confirmations: 0 }
      const confirmations = Number(head.latest - sweep.block + 1n)
      if (sweep.to !== chain.settings.vault) return { ...shownAs, state: 'returned', confirmations }
      return { ...shownAs, state: credited.has(sweep.txHash) ? 'credited' : 'moving', confirmations }
    }
  })
}

/** A sweep moves everything, so the first one after a payment has moved it. */
const findSweep = (swept: Transfer[], payment: Transfer): Transfer | undefined =>
  swept.find(({ block, at }) => block > payment.block || (block === payment.block && at > payment.at))

async function listTransfers(
  { client, settings }: Chain,
  args: { from: Address } | { to: Address },
  fromBlock: bigint,
): Promise<Transfer[]> {
  const logs = await client.getLogs({ address: settings.usdt, event: TRANSFER, args, fromBlock, toBlock: 'latest' })
  return logs
    .map((log) => ({
      txHash: log.transactionHash,
      to: (log.args.to ?? settings.usdt).toLowerCase() as Address,
      wei: log.args.value ?? 0n,
      block: log.blockNumber,
      at: log.logIndex,
    }))
    .filter(({ wei }) => wei > 0n)
}

async function listCredited(db: Db, address: Address, swept: Transfer[]): Promise<Set<Hash>> {
  const { rows } = await sql<{ hash: Hash }>`
    select t.tx_hash as hash from chain_payments t join chain_bookings b on b.payment_id = t.id
    where t.tx_hash = any(${swept.map(({ txHash }) => txHash)}) and t.from_address = ${address}`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}
