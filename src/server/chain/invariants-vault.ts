import { sql } from 'kysely'
import { parseEventLogs } from 'viem'
import { formatUsdt, micro, WEI_PER_MICRO } from '../../protocol/money.ts'
import type { Findings } from '../ledger/findings.ts'
import { type Part, within } from '../ledger/parts.ts'
import type { Tx } from '../platform/db.ts'
import type { Chain } from './client.ts'
import type { Cursor } from './deposits/claims.ts'
import { BLOCKS_SEARCHED, OPENING_HASH } from './invariants-node.ts'
import { readVault } from './vault.ts'
import { vaultAbi } from './vault-abi.ts'

/**
 * A payment of ours that was recorded before this time counts as forgotten by the watcher. One with an id that was never
 * signed here is a finding at once: the payer's key may be stolen.
 */
const LATE = sql`now() - interval '1 minute'`

/** The token transfer of a vault's payment `v`. */
const transferOf = sql`t.tx_hash = v.tx_hash and t.from_address = v.vault and t.to_address = v.wallet
  and t.value_wei = v.micro * ${WEI_PER_MICRO}::numeric`

/**
 * Invariant 31: each `Paid` event is booked as a withdrawal, or adopted by operators, or moved money to another of our
 * addresses; and each withdrawal that a vault paid has its event. Invariant 28 compares the ids.
 */
export const wrongVaultPayments = (part?: Part): Findings[] => [
  within(part, ['vault_payments'], paidWithoutWithdrawal),
  within(part, ['chain_bookings'], withdrawalsWithoutEvent),
]

const paidWithoutWithdrawal: Findings = sql`
  select format('the vault paid %s to %s with the id %s, which belongs to no withdrawal', v.micro, v.wallet, v.id) as finding
  from vault_payments v
  where v.micro > 0 and (v.recorded_at < ${LATE} or not exists (select from chain_payouts p where p.vault_id = v.id))
    and not exists (
    select from chain_payments t left join chain_bookings b on b.payment_id = t.id
    where ${transferOf} and (t.direction = 'inside' or b.kind in ('withdrawal_payment', 'operator_outflow')))`

const withdrawalsWithoutEvent: Findings = sql`
  select format('withdrawal %s is booked as paid by the vault, which did not pay it', b.reference) as finding
  from chain_bookings b join chain_payments t on t.id = b.payment_id
  where b.kind = 'withdrawal_payment'
    and exists (select from chain_payouts p where p.reference = b.reference and p.vault = t.from_address)
    and not exists (select from vault_payments v where ${transferOf})`

/** Invariant 31: payments of the vault on chain are recorded. Those before we followed it are not (createCursor). */
export async function missedVaultPayments(tx: Tx, { client, settings }: Chain, cursor: Cursor): Promise<string[]> {
  const fromBlock = cursor.number > BLOCKS_SEARCHED ? cursor.number - BLOCKS_SEARCHED : 0n
  const query = { address: settings.vault, fromBlock, toBlock: cursor.number }
  const ids = parseEventLogs({ abi: vaultAbi, logs: await client.getLogs(query), eventName: 'Paid' }).map(
    ({ args }) => args.id,
  )
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as id
    where not exists (select from vault_payments v where v.id = id.id and v.vault = ${settings.vault})
      and not exists (select from chain_payments where tx_hash ~ ${OPENING_HASH.source}
        and block_number >= ${fromBlock})`.execute(tx)
  return rows.map(({ id }) => `the vault has paid the id ${id}, which is not recorded`)
}

/**
 * Invariant 32: the vault holds at least the total of its last root, less what it has paid since the root was taken. The
 * contract checks this when a root is published. Payments of the same second count as paid since then.
 */
export async function unbackedTotal(tx: Tx, chain: Chain, cursor: Cursor): Promise<string[]> {
  const { total, held, takenAt } = await readVault(chain, { blockHash: cursor.hash })
  const paidSince = await sumPayments(tx, chain, takenAt)
  if (total <= held + paidSince) return []
  return [`the last root promises ${format(total)} USDT, but the vault holds ${format(held)}`]
}

async function sumPayments(tx: Tx, { settings }: Chain, since: bigint): Promise<bigint> {
  const { rows } = await sql<{ paid: bigint }>`
    select coalesce(sum(micro), 0)::bigint as paid from vault_payments
    where chain_id = ${settings.chainId} and vault = ${settings.vault}
      and happened_at >= to_timestamp(${since}::bigint)`.execute(tx)
  return rows[0]?.paid ?? 0n
}

const format = (amount: bigint) => formatUsdt(micro(amount))
