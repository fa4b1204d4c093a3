import type { Tx } from '../platform/db.ts'

type Rows = {
  /** A hash over everything that is verified about the rows up to this time. */
  checksumOf(tx: Tx, upTo: Date): Promise<string>
  /** The time of the newest row, without those so young that an open transaction may still add an older one. */
  newestOf(tx: Tx): Promise<Date | undefined>
}

/**
 * For audits that check signatures, which is slow: rows that this process has verified are only compared with a
 * checksum. If it differs, all rows are verified again. `verify` lists findings about the rows after a time.
 */
export function verifyOnce({ checksumOf, newestOf }: Rows) {
  const start = new Date(0)
  let verified = { upTo: start, checksum: '' }
  return async (tx: Tx, verify: (since: Date) => Promise<string[]>): Promise<string[]> => {
    const isKnown = (await checksumOf(tx, verified.upTo)) === verified.checksum
    const findings = await verify(isKnown ? verified.upTo : start)
    const upTo = (await newestOf(tx)) ?? start
    if (findings.length === 0) verified = { upTo, checksum: await checksumOf(tx, upTo) }
    return findings
  }
}
