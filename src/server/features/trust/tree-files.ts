import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { TREE_RECORD_BYTES, treeHeaderBytes } from '../../../verifier/tree-file.ts'
import type { Db } from '../../platform/db.ts'
import { busy } from '../../platform/waiting.ts'
import { headerOf } from './publish.ts'
import { findSnapshotOf } from './snapshots.ts'
import type { Snapshot } from './tables.ts'

/** One process sends this many files at once. Each takes little memory, but reads all parts of a tree. */
const DOWNLOADS_MAX = 8
/** A caller that reads slower than this gives its place to others. */
const DOWNLOAD_MS_MAX = 10 * 60_000

export type TreeFile = { bytes: number; name: string; stream: Readable }

/** Public tree files, read from the database part by part, so a slow caller holds no connection. */
export function createTreeFiles(db: Db, { downloadsMax = DOWNLOADS_MAX, downloadMsMax = DOWNLOAD_MS_MAX } = {}) {
  let running = 0
  return {
    async open(epoch: bigint): Promise<TreeFile> {
      const snapshot = await findSnapshotOf(db, epoch)
      if (!snapshot || !(await hasPart(db, snapshot.id)))
        throw new AppError('not_found', 'There is no tree of this epoch here. Mirrors keep older ones.')
      if (running >= downloadsMax) throw busy()
      running++
      const header = treeHeaderBytes(headerOf(figuresOf(snapshot)))
      const stream = Readable.from(readParts(db, snapshot, header), { objectMode: false })
      const timer = setTimeout(() => stream.destroy(new Error('the download took too long')), downloadMsMax).unref()
      stream.once('close', () => {
        running--
        clearTimeout(timer)
      })
      const bytes = header.length + snapshot.users * TREE_RECORD_BYTES
      return { bytes, name: `wellplay-${epoch}.tree`, stream }
    },
  }
}

export type TreeFiles = ReturnType<typeof createTreeFiles>

/** Ends early if a sweep deletes the parts meanwhile. The file is then shorter than announced, so the caller notices. */
async function* readParts(db: Db, { id }: Snapshot, header: Uint8Array) {
  yield header
  for (let part = 0; ; part++) {
    const records = await findRecords(db, id, part)
    if (!records) return
    yield records
  }
}

async function findRecords(db: Db, snapshotId: string, part: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ records: Buffer }>`
    select records from liability_parts where snapshot_id = ${snapshotId} and part = ${part}`.execute(db)
  return rows[0]?.records
}

async function hasPart(db: Db, snapshotId: string): Promise<boolean> {
  const { rows } = await sql`select from liability_parts where snapshot_id = ${snapshotId} and part = 0`.execute(db)
  return rows.length > 0
}

const figuresOf = ({ chain_id, vault, epoch, users, root, total, paid_at, books_at }: Snapshot) => ({
  chainId: Number(chain_id),
  vault,
  epoch,
  users,
  root,
  total,
  paidAt: paid_at,
  takenAt: BigInt(books_at.getTime() / 1_000),
})
