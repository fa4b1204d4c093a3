import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { createArchiveCheck } from '../../verifier/archive-check.ts'
import { recordAction } from '../ledger/audit-log.ts'
import { transaction } from '../platform/db.ts'
import { archiveLines } from './archive-lines.ts'
import { AS, type Command, operatorName, wordAt, wrong } from './command.ts'

export const archiveCommand: Command = {
  name: 'archive',
  takes: '<file>',
  options: {
    ...AS,
    after: { type: 'string', value: 'SEAL', about: 'begins after this seal, the last one of the file before' },
  },
  summary: 'writes the sealed history of the ledger to a file that anyone can check',
  async run(ops) {
    const [file, who, after] = [wordAt(ops, 0, 'The file'), operatorName(ops), sealOf(ops.flags['after'])]
    const { seals, entries, hash, sha256 } = await writeArchive(file, archiveLines(ops.context.db, after))
    const what = `archive: ${seals} seals after seal ${after ?? 'of the start'}, ${entries} entries, last hash ${hash}`
    await transaction(ops.context.db, (tx) => recordAction(tx, { who, what, why: `a file with the SHA-256 ${sha256}` }))
    ops.write(`Done: ${file}, ${seals} seals and ${entries} entries
Last hash: ${hash}
SHA-256:   ${sha256}
To check it, on any machine with our source: npm run verify-archive -- ${file}`)
    return 0
  },
}

function sealOf(flag: string | boolean | undefined): bigint | undefined {
  if (flag === undefined) return undefined
  if (!/^[0-9]{1,15}$/.test(String(flag))) throw wrong('--after takes the number of a seal')
  return BigInt(String(flag))
}

type Written = { seals: bigint; entries: bigint; hash: string; sha256: string }

/** The file gets its name only when it is complete, checked and on disk. So a file with this name is a whole archive. */
async function writeArchive(file: string, lines: AsyncIterable<string[]>): Promise<Written> {
  if (existsSync(file)) throw wrong(`${file} exists already`)
  const part = `${file}.part`
  const handle = await open(part, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw wrong(`${part} cannot be created: ${error.code === 'EEXIST' ? 'it exists already' : error.message}`)
  })
  try {
    const written = await writeLines(handle, lines)
    await handle.sync()
    await rename(part, file)
    return written
  } catch (error) {
    await rm(part)
    throw error
  } finally {
    await handle.close()
  }
}

/** Checks every line as a stranger will, so a history that does not match its seals is never archived. */
async function writeLines(handle: FileHandle, lines: AsyncIterable<string[]>): Promise<Written> {
  const [check, sha256] = [createArchiveCheck(() => createHash('sha256')), createHash('sha256')]
  for await (const some of lines) {
    try {
      for (const line of some) check.addLine(line)
    } catch (error) {
      throw wrong(
        `Nothing was written: the history does not match its seals (${(error as Error).message}). Run the audit.`,
      )
    }
    const text = `${some.join('\n')}\n`
    sha256.update(text)
    await handle.write(text)
  }
  const { seals, entries, hashes } = check.result()
  return { seals, entries, hash: hashes.at(-1) ?? '', sha256: sha256.digest('hex') }
}
