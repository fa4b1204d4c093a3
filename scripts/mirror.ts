/**
 * Keeps a copy of all public tree files: npm run mirror -- https://wellplay.example trees
 *
 * Each file is checked before it is kept: its leaves must lead to the root and the total in its first line. Whether that is
 * the root in the vault is not checked here: users of the file compare it with the chain. Run it every hour, for
 * example with cron. Files that the server has deleted stay in your folder.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rebuildTree } from '../src/verifier/tree-file.ts'

/** The server keeps the newest 48, and those of two days. */
const EPOCHS_BACK = 2 * 24 * 60
const FILE = /^(\d+)\.tree$/
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

const [url, folder] = process.argv.slice(2)
if (!url || !folder || !URL.canParse(url)) {
  console.error('Usage: npm run mirror -- <url> <folder>')
  process.exit(2)
}

try {
  mkdirSync(folder, { recursive: true })
  const newest = await readNewest(url)
  const count = await copyFrom(url, folder, newest)
  console.log(`${count} new, newest epoch ${newest}`)
} catch (error) {
  console.error(`Not copied: ${(error as Error).message}`)
  process.exitCode = 1
}

async function readNewest(from: string): Promise<number> {
  const reply = await fetch(new URL('/api/trust/summary/', from))
  if (!reply.ok) throw new Error(`the server answered ${reply.status}`)
  const { data } = (await reply.json()) as { data: { snapshot: { epoch: number } | null } }
  if (!data.snapshot) throw new Error('no root has been published yet')
  return data.snapshot.epoch
}

/** Newest first, until a file is missing on the server whose successors are all here. Returns how many were copied. */
async function copyFrom(from: string, to: string, newest: number): Promise<number> {
  const kept = new Set(readdirSync(to).map((name) => Number(FILE.exec(name)?.[1])))
  let [copied, missing] = [0, 0]
  for (let epoch = newest; epoch > Math.max(0, newest - EPOCHS_BACK) && missing < 10; epoch--) {
    if (kept.has(epoch)) continue
    if (await copyTree(from, to, epoch)) copied++
    // An epoch whose publication failed has no file.
    else missing++
  }
  return copied
}

/** Writes to another name first, so a file with the right name is always whole. */
async function copyTree(from: string, to: string, epoch: number): Promise<boolean> {
  const reply = await fetch(new URL(`/api/trust/tree/${epoch}`, from))
  if (reply.status === 404) return false
  if (!reply.ok) throw new Error(`the server answered ${reply.status} for epoch ${epoch}`)
  const file = new Uint8Array(await reply.arrayBuffer())
  const { header } = await rebuildTree(file, sha256)
  if (header.epoch !== epoch) throw new Error(`the server sent epoch ${header.epoch} instead of ${epoch}`)
  const path = join(to, `${epoch}.tree`)
  writeFileSync(`${path}.part`, file)
  renameSync(`${path}.part`, path)
  return true
}
