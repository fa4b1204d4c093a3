import { sql } from 'kysely'
import { formatEther } from 'viem'
import { WEI_PER_MICRO } from '../../protocol/money.ts'
import type { Invariant } from '../ledger/audit.ts'
import { type Findings, listFindings } from '../ledger/findings.ts'
import { readLiabilities } from '../ledger/liabilities.ts'
import { isOld, type Part } from '../ledger/parts.ts'
import type { Tx } from '../platform/db.ts'
import type { Chain } from './client.ts'
import { type Cursor, findCursor } from './deposits/claims.ts'
import { lateBookings, nonceGaps, wrongBookings, wrongPayments } from './invariants-books.ts'
import { wrongDepositAddresses } from './invariants-deposits.ts'
import { foreignNonces, mismatchedPayments, unrecordedPayments } from './invariants-node.ts'
import { missedVaultPayments, unbackedTotal, wrongVaultPayments } from './invariants-vault.ts'
import { confirmFindings } from './nodes.ts'
import { listWallets, readHoldings } from './wallets.ts'

/**
 * The invariants between the ledger and the chain, checked at the block the watcher has reached. What the database
 * itself shows is found first, even if no node responds. A node's answers are confirmed (nodes.ts).
 */
export function chainInvariants(chain: Chain): Invariant[] {
  type NodeCheck = (tx: Tx, node: Chain, cursor: Cursor) => Promise<string[]>
  const both = (booked: (part?: Part) => Findings[], onNode?: NodeCheck) => async (tx: Tx, part?: Part) => {
    const proven = (await Promise.all(booked(part).map((findings) => listFindings(tx, findings)))).flat()
    // The node's answers are about the newest payments, so they are compared once, not again for an old slice.
    if (isOld(part)) return proven
    if (proven.length > 0 || !onNode) return proven
    const cursor = await findCursor(tx, chain)
    return cursor ? confirmFindings(chain, (node) => onNode(tx, node, cursor)) : noCursor(tx)
  }
  return [
    {
      number: 5,
      name: 'USDT on chain equals custody plus the remainders, to the wei',
      check: both(none, wrongHoldings),
    },
    { number: 6, name: 'Reserves are at least all that users are owed', check: both(none, missingReserves) },
    {
      number: 7,
      name: 'Every credited deposit is exactly one canonical finalized Transfer',
      isOfHistory: true,
      check: both(wrongBookings, mismatchedPayments),
    },
    {
      number: 8,
      name: 'Every finalized Transfer to us is credited once',
      isOfHistory: true,
      check: both(lateBookings, unrecordedPayments),
    },
    {
      number: 9,
      name: 'Every paid withdrawal is exactly one finalized Transfer and the reverse',
      isOfHistory: true,
      check: both(wrongPayments),
    },
    { number: 10, name: 'Payout nonces have no gap', isOfHistory: true, check: both(nonceGaps, foreignNonces) },
    {
      number: 31,
      name: 'Every payment of the vault is a withdrawal and the reverse',
      isOfHistory: true,
      check: both(wrongVaultPayments, missedVaultPayments),
    },
    { number: 32, name: 'The total in the vault is never above reserves', check: both(none, unbackedTotal) },
    {
      number: 33,
      name: 'What a deposit address brings goes to its user',
      isOfHistory: true,
      check: wrongDepositAddresses,
    },
  ]
}

const none = (): Findings[] => []

async function noCursor(tx: Tx): Promise<string[]> {
  const { rows } = await sql`select from ledger_entries where account_id = ledger_custody() limit 1`.execute(tx)
  return rows.length > 0 ? ['there is money in custody, but the watcher has never run'] : []
}

async function wrongHoldings(tx: Tx, chain: Chain, cursor: Cursor): Promise<string[]> {
  const { rows } = await sql<{ wei: string }>`
    select -balance * ${WEI_PER_MICRO}::numeric
      + coalesce((select sum(case t.direction when 'in' then b.remainder_wei else -b.remainder_wei end)
          from chain_bookings b join chain_payments t on t.id = b.payment_id where b.remainder_wei > 0), 0)
      + coalesce((select sum(case t.direction when 'in' then t.value_wei else -t.value_wei end)
          from chain_unbooked w join chain_payments t on t.id = w.payment_id), 0) as wei
    from ledger_accounts where id = ledger_custody()`.execute(tx)
  const [expected, held] = [
    BigInt(rows[0]?.wei ?? 0),
    await readHoldings(chain, await listWallets(tx, chain), cursor.hash),
  ]
  if (expected === held) return []
  const difference = `${formatEther(held)} USDT on chain, ${formatEther(expected)} in the books`
  return [`at block ${cursor.number}: ${difference}`]
}

async function missingReserves(tx: Tx, chain: Chain, cursor: Cursor): Promise<string[]> {
  const owed = (await readLiabilities(tx)).total * WEI_PER_MICRO
  const held = await readHoldings(chain, await listWallets(tx, chain), cursor.hash)
  if (held >= owed) return []
  return [`users are owed ${formatEther(owed)} USDT, but our addresses hold ${formatEther(held)}`]
}
