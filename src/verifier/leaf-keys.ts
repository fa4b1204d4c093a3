import { asciiBytes, joinBytes } from './bytes.ts'
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
 * the leaf in the tree file, where its owner finds it.
 */
export type LeafSecrets = { nonce: Uint8Array; mark: Uint8Array }

/** Nonce and mark are the halves of HMAC(key, epoch). */
export const LEAF_MARK_BYTES = 16

export async function leafSecrets(leafKey: Uint8Array, epoch: bigint, sha256: Sha256): Promise<LeafSecrets> {
  const own = await hmacSha256(leafKey, epochMessage(epoch), sha256)
  return { nonce: own.slice(0, LEAF_MARK_BYTES), mark: own.slice(LEAF_MARK_BYTES) }
}

export const epochMessage = (epoch: bigint): Uint8Array => uint64Bytes(epoch)

/**
 * A leaf's content is encrypted by XOR with a pad. Block n of the pad is SHA-256(n, leaf key, label, hash of the leaf), the
 * one-step KDF of NIST SP 800-56C. The hash covers chain, vault, epoch and every byte of the leaf: different leaves never
 * share a pad, even if an epoch is built twice. The hash also shows whether the opened content is right, so there is no tag.
 */
export const PAD_BLOCK_BYTES = 32
const PAD_LABEL = asciiBytes('wellplay leaf pad')
export const PAD_KEY_AT = 4
export const PAD_HASH_AT = PAD_KEY_AT + LEAF_KEY_BYTES + PAD_LABEL.length

/** What a block of the pad is the hash of. The number is in the first four bytes. */
export function padMessage(leafKey: Uint8Array, leafHash: Uint8Array): Uint8Array<ArrayBuffer> {
  if (leafKey.length !== LEAF_KEY_BYTES || leafHash.length !== 32) throw new Error('a key or a hash has another length')
  return joinBytes(new Uint8Array(PAD_KEY_AT), leafKey, PAD_LABEL, leafHash)
}

/** Encrypts or decrypts: XOR with the same pad twice gives the content again. */
export async function xorWithPad(
  content: Uint8Array,
  leafKey: Uint8Array,
  leafHash: Uint8Array,
  sha256: Sha256,
): Promise<Uint8Array<ArrayBuffer>> {
  const message = padMessage(leafKey, leafHash)
  const result = new Uint8Array(content)
  for (let start = 0; start < content.length; start += PAD_BLOCK_BYTES) {
    message[PAD_KEY_AT - 1] = start / PAD_BLOCK_BYTES + 1
    const block = await sha256(message)
    for (let at = start; at < Math.min(content.length, start + PAD_BLOCK_BYTES); at++)
      result[at] = (content[at] ?? 0) ^ (block[at - start] ?? 0)
  }
  return result
}

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
