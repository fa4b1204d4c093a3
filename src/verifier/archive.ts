import { asciiBytes, fromHex, joinBytes, toHex } from './bytes.ts'

/**
 * An archive: the ledger's history as lines of JSON, in slices that the audit has sealed. Lines come in this order:
 *
 *   {"format": "wellplay-archive", "entry": [names of the fields of an entry]}
 *   {"seal": {"id", "tx_from", "tx_to", "previous"}}    begins a slice: transactions from tx_from to just below tx_to
 *   [tx, account, version, amount, balance_after, posted_at, kind, reference]    by transaction, account and version
 *   "…"                                                 the hash of a posting, by transaction, reference and kind
 *   {"sealed": {"entries", "digest", "hash"}}           ends the slice
 *   {"end": {"seals", "entries", "hash"}}               the last line, so that a cut file is noticed
 *
 * Whole numbers are strings; amounts are in millionths of a USDT. What a posting replied to its user is private, so the
 * file has only the hash of it. Hashes are SHA-256 in hex. `hash` is the hash of: the previous hash, tx_from, tx_to and
 * digest. So the last hash stands for all of history, and one that was published earlier must appear in the file.
 *
 * To compute the digest, write numbers with 8 bytes, big-endian, and times as microseconds since 2000-01-01 UTC:
 *
 *   group    the hash of all entries of one transaction and account; each entry is its kind, a space, version, amount,
 *            balance_after, posted_at and the 16 bytes of the reference
 *   digest   the hash of: the hash of (tx, account and group of every group), and the hash of all posting hashes
 */
export const ENTRY_FIELDS = ['tx', 'account', 'version', 'amount', 'balance_after', 'posted_at', 'kind', 'reference']
export const FORMAT = 'wellplay-archive'

export type ArchivedEntry = [
  tx: string,
  account: string,
  version: string,
  amount: string,
  balanceAfter: string,
  postedAt: string,
  kind: string,
  reference: string,
]

/** A running SHA-256, such as `createHash('sha256')` of Node. */
type RunningHash = { update(bytes: Uint8Array): unknown; digest(): Uint8Array }
export type NewHash = () => RunningHash

const int64 = (value: bigint): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, value)
  return bytes
}
const hashOf = (newHash: NewHash, ...parts: Uint8Array[]): Uint8Array => {
  const hash = newHash()
  hash.update(joinBytes(...parts))
  return hash.digest()
}

export const sealHash = (newHash: NewHash, previous: string, from: bigint, to: bigint, digest: string): string =>
  toHex(hashOf(newHash, fromHex(previous), int64(from), int64(to), fromHex(digest)))

const EPOCH_2000 = 946_684_800_000_000n
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})Z$/

/** Microseconds since 2000-01-01 UTC, from a time with six digits after the second. */
function microsOf(text: string): bigint {
  const [, seconds, micros] = TIME.exec(text) ?? []
  if (!seconds || !micros) throw new Error(`${text} is not a time`)
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(micros) - EPOCH_2000
}

function entryBytes([, , version, amount, balanceAfter, postedAt, kind, reference]: ArchivedEntry): Uint8Array {
  const numbers = [BigInt(version), BigInt(amount), BigInt(balanceAfter), microsOf(postedAt)].map(int64)
  return joinBytes(asciiBytes(`${kind} `), ...numbers, fromHex(reference.replaceAll('-', '')))
}

/** Computes the digest of a slice from its entries and posting hashes, in their order. */
export function createSliceDigest(newHash: NewHash) {
  const [groups, postings] = [newHash(), newHash()]
  let group: { tx: string; account: string; hash: RunningHash } | undefined
  const endGroup = () => {
    if (group) groups.update(joinBytes(int64(BigInt(group.tx)), int64(BigInt(group.account)), group.hash.digest()))
    group = undefined
  }
  return {
    addEntry(entry: ArchivedEntry): void {
      const [tx, account] = entry
      if (group?.tx !== tx || group.account !== account) {
        endGroup()
        group = { tx, account, hash: newHash() }
      }
      group.hash.update(entryBytes(entry))
    },
    addPosting(hash: string): void {
      postings.update(fromHex(hash))
    },
    end(): string {
      endGroup()
      return toHex(hashOf(newHash, groups.digest(), postings.digest()))
    },
  }
}
