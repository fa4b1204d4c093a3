import { type Address, type Id, id as idOf } from '../../../protocol/ids.ts'
import { formatUsdt, micro } from '../../../protocol/money.ts'
import type { trust } from '../../../protocol/trust.ts'
import { toHex } from '../../../verifier/bytes.ts'
import { VAULT_BALANCES } from '../../../verifier/vault-tree.ts'
import { findOperatorAddress, signAttestation } from '../../chain/attestations.ts'
import { readFinalReserves } from '../../chain/reserves.ts'
import type { Handlers } from '../../context.ts'
import { type AuditRun, findLastAudit, findStaleAudit } from '../../ledger/audit-runs.ts'
import { getSystemBalances } from '../../ledger/balances.ts'
import { findHalt } from '../../ledger/halt.ts'
import { readLiabilities } from '../../ledger/liabilities.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { getProof } from './proofs.ts'
import { getReceipt } from './receipts.ts'
import { findSnapshot, listRootTransactions } from './snapshots.ts'
import { listHistory, readPools, readWithdrawalTimes } from './summary.ts'
import type { Snapshot } from './tables.ts'

const toWire = ({ id, epoch, taken_on, taken_at, root, total, users }: Snapshot) => ({
  id: id as Id<'snapshot'>,
  epoch: Number(epoch),
  taken_on,
  taken_at,
  root: toHex(root),
  total,
  users,
})

const auditToWire = ({ completeAt, ...run }: AuditRun) => ({ ...run, complete_at: completeAt })

export const handlers: Handlers<typeof trust> = {
  summary: async ({ db, chain, config }) => {
    const [reserves, liabilities, system, pools, withdrawals, audit, stale, halt, snapshot, history] =
      await Promise.all([
        readFinalReserves(db, chain).catch(() => undefined),
        readLiabilities(db),
        getSystemBalances(db),
        readPools(db),
        readWithdrawalTimes(db),
        findLastAudit(db),
        findStaleAudit(db),
        findHalt(db),
        findSnapshot(db),
        listHistory(db),
      ])
    return {
      status: 'success',
      Msg: 'Trust',
      data: {
        reserves: reserves?.amount ?? null,
        reserves_block: reserves ? Number(reserves.block) : null,
        reserves_at: reserves?.at ?? null,
        measured_at: liabilities.measuredAt,
        liabilities: liabilities.total,
        owed: liabilities.parts,
        operator: system.operator,
        pools,
        withdrawals,
        audit: audit ? auditToWire(audit) : null,
        halted: halt?.reason ?? null,
        payouts_paused_since: stale?.since ?? null,
        operator_address: findOperatorAddress(chain) ?? null,
        snapshot: snapshot ? toWire(snapshot) : null,
        root_transactions: snapshot ? await listRootTransactions(db, snapshot) : [],
        mirrors: config.mirrors,
        snapshot_every_minutes: config.rootEveryMinutes,
        history,
      },
    }
  },

  halt: async ({ db }) => ({
    status: 'success',
    Msg: 'Payouts and bets',
    halted: (await findHalt(db))?.reason ?? null,
  }),

  proof: async ({ db, chain, user }, { snapshot: wanted }) => {
    // In a transaction, so that we sign only what is on the standby, too (R26).
    const read = (tx: Tx) => getProof(tx, user.number, wanted)
    const { snapshot, leaf, siblings, leafKey } = await transaction(db, read)
    const signed = await signAttestation(chain, 'Snapshot', {
      id: idOf('snapshot').encode(snapshot.id as Id<'snapshot'>),
      taken_on: snapshot.taken_on,
      taken_at: snapshot.taken_at.toISOString(),
      root: toHex(snapshot.root),
      total: formatUsdt(snapshot.total),
      users: String(snapshot.users),
    })
    return {
      status: 'success',
      Msg: 'Your proof',
      data: {
        snapshot: toWire(snapshot),
        leaf: {
          user_id: user.id,
          wallet: `0x${toHex(leaf.wallet)}` as Address,
          nonce: toHex(leaf.nonce),
          paid: micro(leaf.paid),
          balances: VAULT_BALANCES.map((account, index) => ({ account, amount: micro(leaf.balances[index] ?? 0n) })),
        },
        siblings: siblings.map(({ hash, sum, isLeft }) => ({
          hash: toHex(hash),
          sum: micro(sum),
          side: isLeft ? ('left' as const) : ('right' as const),
        })),
        leaf_key: toHex(leafKey),
        vault: snapshot.vault,
        chain_id: chain.settings.chainId,
        operator: signed?.operator ?? null,
        signature: signed?.signature ?? null,
      },
    }
  },

  receipt: async (context, { account, number }) => ({
    status: 'success',
    Msg: 'Your receipt',
    data: await getReceipt(context, context.user, account, number),
  }),
}
