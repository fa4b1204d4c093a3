import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import { type Block, type Log as ChainLog, parseAbiItem } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import { recordAction } from '../../ledger/audit-log.ts'
import { noteAgreement, noteDoubt } from '../../ledger/doubts.ts'
import { type Db, newId, type Tx, transaction } from '../../platform/db.ts'
import { type Chain, readBlock } from '../client.ts'
import { findAgreeing } from '../nodes.ts'
import type { Hash } from '../tables.ts'
import { configuredWallets, insertWallet, listNewWallets, listWallets, readHoldings } from '../wallets.ts'
import { type Booker, bookPayments } from './book.ts'
import { type Cursor, findCursor } from './claims.ts'
import { closeLostClaims } from './lost-claims.ts'
import { readFinalHead, usdtPayments } from './prove.ts'
import { insertVaultEvents, readVaultEvents, type VaultEvent } from './vault-events.ts'

const BLOCKS_PER_STEP_MAX = 50n
const ZERO_HASH: Hash = `0x${'0'.repeat(64)}`
const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

const behindBlocks = new Gauge({
  name: 'wellplay_deposits_behind_blocks',
  help: 'Final blocks whose deposits this worker has not read yet',
  labelNames: ['chain'],
})

/** One pass: records payments that became final and books them. Returns true when there are more blocks to read. */
export async function watchChain(booker: Booker): Promise<boolean> {
  const isBehind = await followChain(booker)
  await bookPayments(booker)
  await closeLostClaims(booker)
  return isBehind
}

async function followChain({ db, chain }: Booker): Promise<boolean> {
  const head = await readFinalHead(chain)
  const cursor = (await findCursor(db, chain)) ?? (await createCursor(db, chain, head.number))
  behindBlocks.set({ chain: chain.settings.chainId }, Math.max(0, Number(head.number - cursor.number)))
  // A node that is behind us says nothing about our last block.
  if (cursor.number > head.latest) return false
  const node = await findNodeWith(chain, cursor)
  if (!node) {
    const reason = `The chain node reports another block ${cursor.number} than the one we recorded as final`
    await noteDoubt(db, 'chain', reason, head.latest)
    return false
  }
  await noteAgreement(db, 'chain', head.latest)
  for (const owner of await listNewWallets(db, chain)) await followWallet(db, node, cursor, owner)
  const ours = await listWallets(db, chain)
  if (cursor.number >= head.number) return false
  const to = head.number - cursor.number > BLOCKS_PER_STEP_MAX ? cursor.number + BLOCKS_PER_STEP_MAX : head.number
  const numbers = Array.from({ length: Number(to - cursor.number) }, (_, at) => cursor.number + BigInt(at) + 1n)
  const blocks = await Promise.all(numbers.map((number) => readBlock(node, number)))
  const last: Cursor = { number: to, hash: blocks.at(-1)?.hash ?? ZERO_HASH }
  if (!areLinked(cursor, blocks) || !(await isStill(node, last))) return false
  const found = (await Promise.all(blocks.map((block) => readPayments(node, ours, block)))).flat()
  const events = (await Promise.all(blocks.map((block) => readVaultEvents(node, ours, block)))).flat()
  await transaction(db, (tx) => record(tx, chain, { ours, from: cursor, to: last, found, events }))
  return to < head.number
}

/** The first node that has our last block. */
const findNodeWith = (chain: Chain, cursor: Cursor): Promise<Chain | undefined> =>
  findAgreeing(chain, (node) => isStill(node, cursor))

/** Reads a block again. Nothing we have read confirms the hash of the newest block: its children are not final yet. */
const isStill = async (node: Chain, { number, hash }: Cursor): Promise<boolean> =>
  (await readBlock(node, number)).hash === hash

/** Checks the parent hashes, so that a gap or a fork between two replies of the node is never skipped. */
function areLinked(cursor: Cursor, blocks: Block<bigint, false, 'finalized'>[]): boolean {
  let parent: string = cursor.hash
  for (const { parentHash, hash } of blocks) {
    if (parentHash !== parent) return false
    parent = hash
  }
  return true
}

type Found = {
  txHash: Hash
  ordinal: number
  from: Address
  to: Address
  valueWei: bigint
  blockNumber: bigint
  blockHash: Hash
  happenedAt: Date
}

/** The USDT payments of one block that touch our addresses. Queried by block hash: a lagging node then throws. */
async function readPayments(
  { client, settings }: Chain,
  ours: Address[],
  block: Block<bigint, false, 'finalized'>,
): Promise<Found[]> {
  const query = { address: settings.usdt, event: TRANSFER, blockHash: block.hash } as const
  const logs: ChainLog[][] = await Promise.all([
    client.getLogs({ ...query, args: { to: ours } }),
    client.getLogs({ ...query, args: { from: ours } }),
  ])
  const hashes = [...new Set(logs.flat().map(({ transactionHash }) => transactionHash ?? ZERO_HASH))]
  const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })))
  return receipts.flatMap((receipt) => {
    if (receipt.blockHash !== block.hash)
      throw new Error(`the receipt of ${receipt.transactionHash} belongs to another block`)
    return usdtPayments(receipt.logs, settings.usdt)
      .filter(({ from, to, valueWei }) => valueWei > 0n && (ours.includes(from) || ours.includes(to)))
      .map((payment) => ({
        ...payment,
        txHash: receipt.transactionHash,
        blockNumber: block.number,
        blockHash: block.hash,
        happenedAt: new Date(Number(block.timestamp) * 1000),
      }))
  })
}

type Step = { ours: Address[]; from: Cursor; to: Cursor; found: Found[]; events: VaultEvent[] }

async function record(tx: Tx, chain: Chain, { ours, from, to, found, events }: Step): Promise<void> {
  const moved = await tx
    .updateTable('chain_cursor')
    .set({ block_number: to.number, block_hash: to.hash, moved_at: sql`now()` })
    .where('chain_id', '=', BigInt(chain.settings.chainId))
    .where('block_hash', '=', from.hash)
    .executeTakeFirst()
  // Another worker has already recorded these blocks.
  if (moved.numUpdatedRows === 0n) return
  await insertPayments(tx, chain, ours, found)
  await insertVaultEvents(tx, chain, events)
}

async function insertPayments(tx: Tx, chain: Chain, ours: Address[], found: Found[]): Promise<void> {
  if (found.length === 0) return
  const rows = found.map((payment) => ({
    id: newId(),
    chain_id: BigInt(chain.settings.chainId),
    tx_hash: payment.txHash,
    ordinal: payment.ordinal,
    direction: directionOf(ours, payment),
    from_address: payment.from,
    to_address: payment.to,
    value_wei: payment.valueWei.toString(),
    block_number: payment.blockNumber,
    block_hash: payment.blockHash,
    happened_at: payment.happenedAt,
  }))
  await tx.insertInto('chain_payments').values(rows).execute()
  const waiting = rows.filter(({ direction }) => direction !== 'inside').map(({ id }) => ({ payment_id: id }))
  if (waiting.length > 0) await tx.insertInto('chain_unbooked').values(waiting).execute()
}

function directionOf(ours: Address[], { from, to }: Found): 'in' | 'out' | 'inside' {
  if (!ours.includes(from)) return 'in'
  return ours.includes(to) ? 'inside' : 'out'
}

/**
 * Starts at the newest final block. The USDT that our addresses already hold is recorded as one payment from the zero
 * address, which the operator can claim.
 */
async function createCursor(db: Db, chain: Chain, number: bigint): Promise<Cursor> {
  const block = await readBlock(chain, number)
  const cursor = { number, hash: block.hash }
  if (!(await isStill(chain, cursor))) throw new Error(`the node reports two blocks ${number}`)
  const ours = configuredWallets(chain)
  const held = await readHoldings(chain, ours, block.hash)
  const opening = { ...openingPayment(chain.settings.vault, block, held), txHash: ZERO_HASH }
  await transaction(db, async (tx) => {
    const created = await tx
      .insertInto('chain_cursor')
      .values({ chain_id: BigInt(chain.settings.chainId), block_number: number, block_hash: block.hash })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (created.numInsertedOrUpdatedRows !== 1n) return
    await insertPayments(tx, chain, ours, held > 0n ? [opening] : [])
  })
  return cursor
}

/** Follows an address from the cursor on. What it holds there is recorded as one payment, as at the first start. */
async function followWallet(db: Db, chain: Chain, { number, hash }: Cursor, owner: Address): Promise<void> {
  const [block, held] = [await readBlock(chain, number), await readHoldings(chain, [owner], hash)]
  await transaction(db, async (tx) => {
    const { rows } = await sql`select from chain_cursor where block_hash = ${hash} for update`.execute(tx)
    // Another worker has moved on: the balance belongs to an old block, and the next pass reads it again.
    if (rows.length === 0 || !(await insertWallet(tx, chain, owner))) return
    await insertPayments(tx, chain, [owner], held > 0n ? [openingPayment(owner, block, held)] : [])
    await recordAction(tx, { who: 'watcher', what: `follow wallet ${owner}`, why: 'it is in the settings' })
  })
}

/**
 * What an address held before we followed it. It has no transaction, so its hash is the address after 24 zeros, which no
 * real hash has (OPENING_HASH in invariants-node.ts).
 */
const openingPayment = (owner: Address, block: Block<bigint, false, 'finalized'>, valueWei: bigint): Found => ({
  txHash: `0x${owner.slice(2).padStart(64, '0')}`,
  ordinal: 0,
  from: ZERO_ADDRESS,
  to: owner,
  valueWei,
  blockNumber: block.number,
  blockHash: block.hash,
  happenedAt: new Date(Number(block.timestamp) * 1000),
})
