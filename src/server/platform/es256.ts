import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { ProofKey } from '../../protocol/users.ts'

/** An imported key takes about 3 kB. Importing one costs as much as verifying a signature. */
const KEYS_MAX = 4_096
const COORDINATE_BYTES = 32
const SIGNATURE_BYTES = 2 * COORDINATE_BYTES

/** The most recently used come last. A key is imported from its coordinates alone, so an entry is never out of date. */
const imported = new Map<string, KeyObject>()

/** Throws if the coordinates are not a point on the curve. */
function importKey({ x, y }: ProofKey): KeyObject {
  const name = `${x}.${y}`
  const key = imported.get(name) ?? createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  imported.delete(name)
  imported.set(name, key)
  const [oldest] = imported.keys()
  if (imported.size > KEYS_MAX && oldest !== undefined) imported.delete(oldest)
  return key
}

/** Whether the coordinates are a point on the curve. No signature could ever be verified with any other key. */
export function isValidKey(key: ProofKey): boolean {
  try {
    importKey(key)
    return true
  } catch {
    return false
  }
}

/**
 * Verifies an ES256 signature: r and s, 32 bytes each (RFC 7518, section 3.4). It runs on the event loop, because handing
 * it to another thread costs more CPU than the check itself. The signature is re-encoded here: with
 * `dsaEncoding: 'ieee-p1363'` Node does the same, but takes half as long again for the whole check.
 */
export function isSignedBy(key: ProofKey, text: string, signature: Buffer): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  return verify('sha256', Buffer.from(text), importKey(key), derOf(signature))
}

/** An ASN.1 SEQUENCE of two INTEGERs. All lengths are below 128, so each takes one byte. */
function derOf(signature: Buffer): Buffer {
  const r = integerOf(signature.subarray(0, COORDINATE_BYTES))
  const s = integerOf(signature.subarray(COORDINATE_BYTES))
  return Buffer.concat([Buffer.of(0x30, r.length + s.length), r, s])
}

/** An INTEGER has no leading zeros, except one before a first bit that would make it negative. */
function integerOf(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const isNegative = (bytes[start] ?? 0) >= 0x80
  const length = bytes.length - start + (isNegative ? 1 : 0)
  return Buffer.concat([Buffer.of(0x02, length, ...(isNegative ? [0] : [])), bytes.subarray(start)])
}
