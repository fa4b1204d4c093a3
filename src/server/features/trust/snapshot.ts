import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { UserId } from '../../../protocol/ids.ts'
import { formatUsdt, micro, type Usdt } from '../../../protocol/money.ts'
import type { Day } from '../../../protocol/time.ts'
import { toHex } from '../../../verifier/bytes.ts'
import { LEAF_ACCOUNTS, type Leaf, type Sibling, type SumNode } from '../../../verifier/merkle.ts'
import type { Context } from '../../context.ts'
import { recordAction } from '../../ledger/audit-log.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { buildTree, siblingPlaces } from './tree.ts'

export type Snapshot = { id: string; taken_on: Day; taken_at: Date; root: Buffer; total: Usdt; users: number }

export type SnapshotPace = 'day' | 'minute'

/** On the development network a change is in a snapshot within a minute, so you can try a proof right away. */
export const snapshotPace = ({ config }: Pick<Context, 'config'>): SnapshotPace =>
  config.network === 'development' ? 'minute' : 'day'

/** Stores what every user is owed now as a Merkle-sum tree, and writes its root into the audit chain. */
export const takeSnapshot = ({ db }: Pick<Context, 'db'>): Promise<void> => db.transaction().execute(createSnapshot)

export const takeDueSnapshot = ({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (await isDue(tx, snapshotPace({ config }))) await createSnapshot(tx)
  })

async function createSnapshot(tx: Tx): Promise<void> {
  const id = newId<'snapshot'>()
  const { users, ledgerTotal } = await readLiabilities(tx, id)
  if (users.length === 0) return
  const levels = buildTree(users.map(({ leaf }) => leaf))
  const [root] = levels.at(-1) ?? []
  if (!root) throw new Error('the tree has no root')
  await store(tx, { id, users, levels, root, ledgerTotal })
  const what = `liability snapshot: root ${toHex(root.hash)}, ${formatUsdt(micro(root.sum))} USDT owed to ${users.length} users`
  await recordAction(tx, { who: 'snapshot', what, why: 'proof of liabilities' })
  // A proof is checked against the published figures, so they must include the new snapshot at once.
  await publish(tx, { topic: 'snapshot' })
}

/** A row is dated before it commits, so one that is older than the last snapshot may be missing from it. */
const IN_FLIGHT_MS = 30_000
/** With more users than this a snapshot takes seconds, so it is taken once a day on every network. */
const USERS_SMALL_MAX = 1_000

async function isDue(tx: Tx, pace: SnapshotPace): Promise<boolean> {
  const latest = await findLatestSnapshot(tx)
  if (!latest) return true
  const since = new Date(latest.taken_at.getTime() - IN_FLIGHT_MS)
  const { rows } = await sql<{ is_due: boolean }>`
    select ${latest.taken_on}::date < current_date or (
      ${pace === 'minute'} and not exists (select from users offset ${USERS_SMALL_MAX})
      and (exists (select from users where created_at > ${since})
        or exists (select from ledger_entries where posted_at > ${since}))) as is_due`.execute(tx)
  return rows[0]?.is_due === true
}

type UserLeaf = { number: number; leaf: Leaf }

/**
 * One statement, so the leaves and the ledger's own total are of one moment. The transaction itself needs no snapshot of
 * that moment: with one, it could not append to the audit log after someone else did.
 */
async function readLiabilities(tx: Tx, snapshotId: string): Promise<{ users: UserLeaf[]; ledgerTotal: Usdt }> {
  const { rows } = await sql<{ number: number; id: UserId; balances: string[]; ledger_total: Usdt }>`
    select u.number, u.id, array(
      select coalesce(a.balance, 0) from generate_series(0, ${LEAF_ACCOUNTS.length - 1}::int) kind
      left join ledger_accounts a on a.id = u.number::bigint * 16 + kind order by kind)::text[] as balances,
      (select coalesce(sum(balance), 0)::bigint from ledger_accounts where id < ledger_custody()) as ledger_total
    from users u order by u.number`.execute(tx)
  const users = rows.map(({ number, id, balances }) => ({
    number,
    leaf: { snapshotId, userId: id, nonce: randomBytes(16), balances: balances.map((text) => BigInt(text) as Usdt) },
  }))
  return { users, ledgerTotal: rows[0]?.ledger_total ?? micro(0n) }
}

type Tree = { id: string; users: UserLeaf[]; levels: SumNode[][]; root: SumNode; ledgerTotal: Usdt }

async function store(tx: Tx, { id, users, levels, root, ledgerTotal }: Tree): Promise<void> {
  await sql`
    insert into liability_snapshots (id, taken_on, taken_at, root, total, ledger_total, users)
    values (${id}, current_date, now(), ${Buffer.from(root.hash)}, ${root.sum}, ${ledgerTotal}, ${users.length})`.execute(
    tx,
  )
  const balances = users.map(({ leaf }) => `{${leaf.balances.join(',')}}`)
  await sql`
    insert into liability_leaves (snapshot_id, position, user_number, nonce, balances)
    select ${id}, place - 1, number, nonce, balances::bigint[]
    from unnest(${users.map(({ number }) => number)}::int[], ${users.map(({ leaf }) => leaf.nonce)}::bytea[],
                ${balances}::text[]) with ordinality as leaf (number, nonce, balances, place)`.execute(tx)
  for (const [level, nodes] of levels.entries())
    await sql`
      insert into liability_nodes (snapshot_id, level, position, hash, sum)
      select ${id}, ${level}::int, place - 1, hash, sum
      from unnest(${nodes.map(({ hash }) => Buffer.from(hash))}::bytea[], ${nodes.map(({ sum }) => sum)}::bigint[])
        with ordinality as node (hash, sum, place)`.execute(tx)
}

export async function findLatestSnapshot(db: Db): Promise<Snapshot | undefined> {
  const { rows } = await sql<Snapshot>`
    select id, taken_on, taken_at, root, total, users from liability_snapshots order by taken_at desc limit 1`.execute(
    db,
  )
  return rows[0]
}

async function findSnapshot(db: Db, id: string): Promise<Snapshot | undefined> {
  const { rows } = await sql<Snapshot>`
    select id, taken_on, taken_at, root, total, users from liability_snapshots where id = ${id}`.execute(db)
  return rows[0]
}

/** A user's leaf in a snapshot, by default the latest one, and the siblings on its path to the root. */
export async function getProof(
  { db, config }: Pick<Context, 'db' | 'config'>,
  user: { number: number; id: UserId },
  snapshotId?: string,
): Promise<{ snapshot: Snapshot; leaf: Leaf; siblings: Sibling[] }> {
  const snapshot = await (snapshotId ? findSnapshot(db, snapshotId) : findLatestSnapshot(db))
  const own = snapshot && (await findLeaf(db, snapshot.id, user.number))
  if (!snapshot || !own) {
    if (snapshot && !(await hasLeaves(db, snapshot.id))) throw new AppError('not_found', ONLY_ROOT)
    throw new AppError('not_found', `You'll be in the next snapshot. We take one every ${snapshotPace({ config })}.`)
  }
  const places = siblingPlaces(snapshot.users, own.position)
  const { rows } = await sql<SumNode>`
    select node.hash, node.sum
    from unnest(${places.map(({ level }) => level)}::int[], ${places.map(({ position }) => position)}::int[])
      with ordinality as place (level, position, step)
    join liability_nodes node on node.snapshot_id = ${snapshot.id} and node.level = place.level and node.position = place.position
    order by step`.execute(db)
  const siblings = rows.map((node, index) => ({ ...node, side: places[index]?.side ?? 'left' }))
  const balances = own.balances.map((text) => BigInt(text) as Usdt)
  return { snapshot, leaf: { snapshotId: snapshot.id, userId: user.id, nonce: own.nonce, balances }, siblings }
}

const ONLY_ROOT =
  "We keep everyone's balances in a snapshot for a week. Of this one we only keep the root. A proof that you saved still works."

/** False once `retention_sweep` has deleted them. A snapshot always has at least one. */
async function hasLeaves(db: Db, snapshotId: string): Promise<boolean> {
  const { rows } = await sql`select from liability_leaves where snapshot_id = ${snapshotId} limit 1`.execute(db)
  return rows.length > 0
}

async function findLeaf(db: Db, snapshotId: string, userNumber: number) {
  const { rows } = await sql<{ position: number; nonce: Buffer; balances: string[] }>`
    select position, nonce, balances::text[] as balances from liability_leaves
    where snapshot_id = ${snapshotId} and user_number = ${userNumber}`.execute(db)
  return rows[0]
}
