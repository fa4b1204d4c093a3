/**
 * Checks archives of the ledger without Wellplay: npm run verify-archive -- <file> …, all files from the first one on, in
 * their order. A dash reads standard input, so a compressed file needs no copy: gunzip -c file.gz | npm run … -- -
 * The format and the checks are in src/verifier/archive*.ts. If you don't trust Wellplay, read them or write your own.
 *
 *   --hash  a hash that was published earlier: it must be the hash of one of the seals
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createArchiveCheck } from '../src/verifier/archive-check.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { hash: { type: 'string' } } })
if (positionals.length === 0) {
  console.error('Usage: npm run verify-archive -- <file> … [--hash HASH]')
  process.exit(2)
}

const check = createArchiveCheck(() => createHash('sha256'))
let at = ''
try {
  for (const file of positionals) {
    const input = file === '-' ? process.stdin : createReadStream(file)
    let number = 0
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      at = `${file}:${++number}: `
      check.addLine(line)
    }
    at = `${file}: `
  }
  report(check.result())
} catch (error) {
  console.error(`WRONG ${at}${(error as Error).message}`)
  process.exitCode = 1
}

function report({ seals, entries, hashes, isWhole, waiting }: ReturnType<typeof check.result>): void {
  if (values.hash && !hashes.includes(values.hash)) throw new Error(`no seal has the hash ${values.hash}`)
  console.log(`${seals} seals and ${entries} entries checked, all correct. Last hash: ${hashes.at(-1)}`)
  if (waiting > 0) console.log(`${waiting} entries follow from entries of the next archive.`)
  if (!isWhole)
    console.log('Sums and accounts are not checked: for that, give all files from the first one on, in their order.')
}
