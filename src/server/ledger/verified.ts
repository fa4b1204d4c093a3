import { createHash } from 'node:crypto'

const ROWS_MAX = 50_000

/**
 * Rows whose signature this process has verified, each as a hash of all that it covers, so a changed row is verified
 * again. When it is full, it starts anew.
 */
export function createVerified() {
  const hashes = new Set<string>()
  const hashOf = (row: string) => createHash('sha256').update(row).digest('base64')
  return {
    has: (row: string): boolean => hashes.has(hashOf(row)),
    add(row: string): void {
      if (hashes.size >= ROWS_MAX) hashes.clear()
      hashes.add(hashOf(row))
    },
  }
}
