import { type ArchivedEntry, createSliceDigest, ENTRY_FIELDS, FORMAT, type NewHash, sealHash } from './archive.ts'
import { createBooks } from './archive-books.ts'

type Head = { format: string; entry: string[] }
type Seal = { id: string; tx_from: string; tx_to: string; previous: string }
type Sealed = { entries: string; digest: string; hash: string }
type End = { seals: string; entries: string; hash: string }
type Line = ArchivedEntry | string | Head | { seal: Seal } | { sealed: Sealed } | { end: End }

/** What was checked. `isWhole`: the files begin with the first transaction, so every account starts at zero. */
export type Checked = { seals: bigint; entries: bigint; hashes: string[]; isWhole: boolean; waiting: number }

/**
 * Checks archive files line by line, in the order of their slices: every seal matches its rows and follows from the one
 * before it, every posting sums to zero, and every account follows from its last entry. Throws at the first line that
 * is wrong.
 */
export function createArchiveCheck(newHash: NewHash) {
  const checked: Checked = { seals: 0n, entries: 0n, hashes: [], isWhole: false, waiting: 0 }
  let books = createBooks()
  let previous: (Seal & Sealed) | undefined
  let slice: ReturnType<typeof createSlice> | undefined
  let file: { seals: bigint; entries: bigint } | undefined

  function open({ format, entry }: Head): void {
    if (format !== FORMAT || entry.join() !== ENTRY_FIELDS.join()) throw new Error('this is not an archive')
    if (file) throw new Error('the file before this one is cut: its last line is missing')
    file = { seals: 0n, entries: 0n }
  }

  function begin(seal: Seal): void {
    if (!file || slice) throw new Error(`seal ${seal.id} begins at the wrong place`)
    if (seal.previous !== '' && !HASH.test(seal.previous)) throw new Error(`seal ${seal.id} follows from no hash`)
    if (previous) requireNext(seal, previous)
    else checked.isWhole = seal.tx_from === '0'
    // After a restored dump, transaction ids mean nothing, so history is sealed again from the start.
    if (seal.tx_from === '0') books = createBooks()
    slice = createSlice(newHash, seal)
  }

  function addEntry(entry: ArchivedEntry): void {
    if (!slice) throw new Error('an entry is outside of all slices')
    if (!isEntry(entry)) throw new Error('this is not an entry')
    if (checked.isWhole) books.add(entry)
    slice.addEntry(entry)
  }

  function addPosting(hash: string): void {
    if (!slice) throw new Error('a posting is outside of all slices')
    slice.addPosting(hash)
  }

  function end(sealed: Sealed): void {
    if (!slice || !file) throw new Error('a slice ends that has not begun')
    books.endTransaction()
    previous = slice.end(sealed)
    slice = undefined
    checked.hashes.push(sealed.hash)
    for (const counts of [checked, file]) {
      counts.seals++
      counts.entries += BigInt(sealed.entries)
    }
  }

  function close({ seals, entries, hash }: End): void {
    if (!file || slice || file.seals !== BigInt(seals) || file.entries !== BigInt(entries) || previous?.hash !== hash)
      throw new Error('the last line does not match the file')
    file = undefined
  }

  return {
    addLine(text: string): void {
      const line = JSON.parse(text) as Line
      if (Array.isArray(line)) addEntry(line)
      else if (typeof line === 'string') addPosting(line)
      else if ('seal' in line) begin(line.seal)
      else if ('sealed' in line) end(line.sealed)
      else if ('end' in line) close(line.end)
      else open(line)
    },
    /** Call after the last line of the last file. */
    result(): Checked {
      if (file) throw new Error('the file is cut: its last line is missing')
      return { ...checked, waiting: books.waiting() }
    },
  }
}

function requireNext({ id, tx_from, previous }: Seal, last: Seal & Sealed): void {
  if (BigInt(id) !== BigInt(last.id) + 1n || previous !== last.hash)
    throw new Error(`seal ${id} does not follow from seal ${last.id}`)
  if (tx_from !== '0' && tx_from !== last.tx_to) throw new Error(`seal ${id} does not begin where the last one ended`)
}

/** Compares the rows of one slice with its seal. */
function createSlice(newHash: NewHash, seal: Seal) {
  const [from, to] = [BigInt(seal.tx_from), BigInt(seal.tx_to)]
  const sum = createSliceDigest(newHash)
  let count = 0n
  let last: ArchivedEntry | undefined
  return {
    addEntry(entry: ArchivedEntry): void {
      const tx = BigInt(entry[0])
      if (tx < from || tx >= to || !isAfter(entry, last))
        throw new Error(`entry ${entry[2]} of account ${entry[1]} is not in its place`)
      sum.addEntry(entry)
      last = entry
      count++
    },
    addPosting(hash: string): void {
      if (!HASH.test(hash)) throw new Error('this is not the hash of a posting')
      sum.addPosting(hash)
    },
    end(sealed: Sealed): Seal & Sealed {
      if (count !== BigInt(sealed.entries))
        throw new Error(`slice ${seal.id} has ${count} entries, not ${sealed.entries}`)
      if (sum.end() !== sealed.digest) throw new Error(`the rows of slice ${seal.id} do not match its digest`)
      if (sealHash(newHash, seal.previous, from, to, sealed.digest) !== sealed.hash)
        throw new Error(`the hash of seal ${seal.id} is wrong`)
      return { ...seal, ...sealed }
    },
  }
}

const HASH = /^[0-9a-f]{64}$/
const NUMBER = /^(?:0|-?[1-9]\d{0,18})$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** There is only one way to write an entry, so that nothing in the file is left out of its hash. */
const isEntry = (entry: ArchivedEntry): boolean =>
  entry.length === ENTRY_FIELDS.length &&
  entry.slice(0, 5).every((number) => NUMBER.test(number)) &&
  /^[a-z_]+$/.test(entry[6]) &&
  UUID.test(entry[7])

/** By transaction, account and version: so no entry can be there twice. */
function isAfter(entry: ArchivedEntry, last: ArchivedEntry | undefined): boolean {
  if (!last) return true
  for (const field of [0, 1, 2] as const) {
    const [now, before] = [BigInt(entry[field]), BigInt(last[field])]
    if (now !== before) return now > before
  }
  return false
}
