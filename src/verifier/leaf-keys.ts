import { joinBytes } from './bytes.ts'
import type { Sha256 } from './merkle.ts'
import { uint64Bytes } from './vault-tree.ts'

/**
 * Each user has one leaf key, which is in every proof file. It opens the user's leaf in any public tree file
 * (tree-file.ts). Everybody else sees only its hash and its sum.
 */
export const LEAF_KEY_BYTES = 32
const SHA256_BLOCK_BYTES = 64

/**
 * What the key gives in one epoch. `nonce` is in the leaf, so nobody can guess the leaf from its hash. `mark` is next to
 * the leaf in the tree file, where its owner finds it. `sealKey` encrypts the leaf.
 */
export type LeafSecrets = { nonce: Uint8Array; mark: Uint8Array; sealKey: Uint8Array }

/** Nonce and mark are the halves of HMAC(key, epoch). */
export const LEAF_MARK_BYTES = 16

export async function leafSecrets(leafKey: Uint8Array, epoch: bigint, sha256: Sha256): Promise<LeafSecrets> {
  const own = await hmacSha256(leafKey, epochMessage(epoch), sha256)
  const sealKey = await hmacSha256(leafKey, sealMessage(epoch), sha256)
  return { nonce: own.slice(0, LEAF_MARK_BYTES), mark: own.slice(LEAF_MARK_BYTES), sealKey }
}

export const epochMessage = (epoch: bigint): Uint8Array => uint64Bytes(epoch)
/** Longer than the other message, so the two results are independent. */
export const sealMessage = (epoch: bigint): Uint8Array => joinBytes(uint64Bytes(epoch), Uint8Array.of(1))

/** HMAC-SHA-256 (RFC 2104), for keys of up to 64 bytes. */
async function hmacSha256(key: Uint8Array, message: Uint8Array, sha256: Sha256): Promise<Uint8Array> {
  const padded = new Uint8Array(SHA256_BLOCK_BYTES)
  padded.set(key)
  const inner = await sha256(
    joinBytes(
      padded.map((byte) => byte ^ 0x36),
      message,
    ),
  )
  return sha256(
    joinBytes(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
}
