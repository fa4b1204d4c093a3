import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The server recreates their contents when it starts. */
const EMPTY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
/** pg_hba.conf says who may log in, which a restored server decides anew. */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init', 'pg_hba.conf'])

type CopyFile = (from: string, to: string) => Promise<void> | void

/** Copies a cluster or a part of it, each file with `copyFile`. */
export async function copyFolder(from: string, to: string, copyFile: CopyFile = copyFileSync): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (LEFT_OUT.has(entry.name)) continue
    if (entry.isDirectory() && EMPTY.has(entry.name)) mkdirSync(copy, { mode: 0o700 })
    else if (entry.isDirectory()) await copyFolder(source, copy, copyFile)
    else await copyIfThere(source, copy, copyFile)
  }
}

/** A table dropped during the copy has no file any more. The WAL contains the drop, too. */
async function copyIfThere(source: string, copy: string, copyFile: CopyFile): Promise<void> {
  try {
    await copyFile(source, copy)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
