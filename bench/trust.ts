import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Chain } from '../src/server/chain/client.ts'
import { type Books, createLeafKeys, readBooks } from '../src/server/features/trust/books.ts'
import { findLeafKey, proveLeaf, readNodes } from '../src/server/features/trust/proofs.ts'
import { storeTree } from '../src/server/features/trust/publish.ts'
import { buildPart, PART_LEAVES, rootOfParts, sha256, type UserLeaf } from '../src/server/features/trust/tree.ts'
import { createDb, createPool, type Db, transaction } from '../src/server/platform/db.ts'
import { LEAF_CONTENT_BYTES } from '../src/verifier/tree-file.ts'
import { type VaultTree, vaultRootOf } from '../src/verifier/vault-tree.ts'
import { cpuOfFamily } from './cpu.ts'
import { type BenchDatabase, withBenchDatabase } from './database.ts'
import { type Row, report } from './report.ts'

/** The tree of a million users, as the worker makes it every hour: read, hash and encrypt, store. Then some proofs. */
const USERS = Number(process.argv[2] ?? 1_000_000)
const SAMPLE = Math.min(USERS, 100_000)
const PROOFS = 200
const CPU_SECONDS_MAX = 30
const MEMORY_MB_MAX = 500
const PREIMAGE_BYTES = 169

const vault = randomBytes(20)
const tree: VaultTree = { chainId: 56n, vault, epoch: 1n }
const settings = { chainId: 56, vault: `0x${vault.toString('hex')}` }
const chain = { settings } as Chain

const cpuSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6

/** Seconds to hash as many leaves, and to build their parts, with nothing to read: a sample, scaled to all users. */
async function measureParts() {
  let [built, flat] = [0, 0]
  for (let first = 0; first < SAMPLE; first += PART_LEAVES) {
    const users = Array.from({ length: Math.min(PART_LEAVES, SAMPLE - first) }, (_, at): UserLeaf => {
      const content = randomBytes(LEAF_CONTENT_BYTES)
      // Small amounts, so that the total fits.
      for (let offset = 36; offset < LEAF_CONTENT_BYTES; offset += 8) content.fill(0, offset, offset + 5)
      return { userNumber: first + at + 1, key: randomBytes(32), content }
    })
    const began = cpuSeconds()
    await buildPart(tree, users)
    const done = cpuSeconds()
    for (const _user of users) hash('sha256', new Uint8Array(PREIMAGE_BYTES), 'buffer')
    built += done - began
    flat += cpuSeconds() - done
  }
  return { built: (built * USERS) / SAMPLE, flat: (flat * USERS) / SAMPLE }
}

/** Users with three accounts each, and an open withdrawal of every hundredth, inserted without their history. */
async function insertUsers({ owner }: BenchDatabase): Promise<void> {
  await owner.query('set session_replication_role = replica')
  await owner.query(`insert into users (id, number, username, wallet_address, referral_code, path)
    select gen_random_uuid(), n, 'user_' || n, '0x' || lpad(to_hex(n), 40, '0'), lpad(upper(to_hex(n)), 8, '0'), array[n]
    from generate_series(1, ${USERS}) n`)
  await owner.query(`insert into ledger_accounts (id, balance)
    select n::bigint * 16 + kind, n % 500 from generate_series(1, ${USERS}) n, unnest(array[0, 1, 3]) kind`)
  await owner.query(`insert into withdrawals (id, user_number, source, amount, fee, to_address, nonce, deadline, signature, state)
    select gen_random_uuid(), n, 'wallet', 2, 1, '0x' || lpad(to_hex(n), 40, '0'), md5(n::text), now(), '', 'waiting'
    from generate_series(1, ${USERS}, 100) n`)
  await owner.query('set session_replication_role = origin')
  await owner.query('insert into chain_cursor values (56, 1, $1)', [`0x${'0'.repeat(64)}`])
  await owner.query('vacuum analyze users, ledger_accounts, withdrawals')
}

async function store(db: Db, books: Books): Promise<void> {
  const root = await rootOfParts(books.parts.map(({ node }) => node))
  const publication = { epoch: tree.epoch, root: root.hash, total: root.sum, paidAt: 0n, takenAt: 1n }
  await transaction(db, (tx) => storeTree(tx, chain, books, publication))
}

/** Milliseconds of CPU for one proof from the stored tree. */
async function measureProofs(db: Db, root: Uint8Array): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from liability_snapshots`.execute(db)
  const id = rows[0]?.id ?? ''
  const began = cpuSeconds()
  for (let proof = 0; proof < PROOFS; proof++) {
    const number = 1 + Math.floor((proof * USERS) / PROOFS)
    const part = Math.floor((number - 1) / PART_LEAVES)
    const found = await sql<{ userNumbers: number[]; records: Buffer }>`
      select user_numbers as "userNumbers", records from liability_parts
      where snapshot_id = ${id} and part = ${part}`.execute(db)
    const placed = { ...(found.rows[0] ?? { userNumbers: [], records: Buffer.alloc(0) }), part }
    const key = (await findLeafKey(db, number)) ?? new Uint8Array()
    const { leaf, siblings } = await proveLeaf(tree, await readNodes(db, id), placed, number, key)
    const { hash: top } = await vaultRootOf(tree, leaf, siblings, sha256)
    if (!Buffer.from(root).equals(top)) throw new Error('a proof is invalid')
  }
  return ((cpuSeconds() - began) * 1_000) / PROOFS
}

await withBenchDatabase(async (database) => {
  const { built, flat } = await measureParts()
  await insertUsers(database)
  const pool = createPool(database.urls.worker, 2)
  database.onEnd(() => pool.end())
  const db = createDb(pool)
  // Every user gets a leaf key once, so this is not part of an hour's work.
  await createLeafKeys(db)
  let memoryMb = 0
  const timer = setInterval(() => {
    memoryMb = Math.max(memoryMb, process.memoryUsage.rss() / 2 ** 20)
  }, 100)
  const marks = [[cpuSeconds(), cpuOfFamily(database.pid() ?? 0) / 1e6]]
  const mark = () => marks.push([cpuSeconds(), cpuOfFamily(database.pid() ?? 0) / 1e6])
  const books = await readBooks(db, chain, tree)
  if (books?.parts.length !== Math.ceil(USERS / PART_LEAVES)) throw new Error('parts are missing')
  mark()
  await store(db, books)
  mark()
  clearInterval(timer)
  const root = await rootOfParts(books.parts.map(({ node }) => node))
  const proofMs = await measureProofs(db, root.hash)
  const [[start = 0, dbStart = 0] = [], [read = 0, dbRead = 0] = [], [stored = 0, dbStored = 0] = []] = marks
  const whole = stored - start
  console.log(
    [
      `${USERS} users, CPU seconds of the worker: ${(read - start).toFixed(1)} to read and build (${built.toFixed(1)} of it to build),`,
      `${(stored - read).toFixed(1)} to store; of the database: ${(dbRead - dbStart).toFixed(1)} and ${(dbStored - dbRead).toFixed(1)}.`,
      `${Math.round(memoryMb)} MB. One proof: ${proofMs.toFixed(1)} ms.`,
    ].join('\n'),
  )
  const rows: Row[] = [
    { name: 'building the tree ÷ hashing the same leaves', ratio: built / flat },
    { name: 'the whole work ÷ hashing the same leaves', ratio: whole / flat },
    { name: 'CPU seconds of the worker ÷ limit', ratio: whole / CPU_SECONDS_MAX, atMost: 1 },
    { name: 'memory ÷ limit', ratio: memoryMb / MEMORY_MB_MAX, atMost: 1 },
  ]
  report(rows)
})
