import { asciiBytes, fromHex, joinBytes, toHex } from './bytes.ts'
import { keccak256 } from './keccak.ts'
import type { VaultLeaf, VaultSibling } from './vault-tree.ts'

/**
 * Calls of contracts/Vault.sol as the bytes of a chain transaction: four bytes that name the function, then its arguments in
 * words of 32 bytes. test/exit.test.ts sends them to the contract.
 */
const WORD_BYTES = 32
const LEAF_WORDS = 13n
const PROOF_ARGUMENTS = '((bytes16,address,bytes16,uint64,uint64[9]),(bytes32,uint64,bool)[])'

const selectorOf = (signature: string): Uint8Array => keccak256(asciiBytes(signature)).slice(0, 4)
export const numberWord = (value: bigint): Uint8Array => fromHex(value.toString(16).padStart(2 * WORD_BYTES, '0'))
export const addressWord = (address: Uint8Array): Uint8Array =>
  joinBytes(new Uint8Array(WORD_BYTES - address.length), address)
/** Fixed bytes are padded on the right. */
const bytesWord = (bytes: Uint8Array): Uint8Array => joinBytes(bytes, new Uint8Array(WORD_BYTES - bytes.length))

/** For example `callData('rootAt(uint64)', numberWord(3n))`. */
export const callData = (signature: string, ...words: Uint8Array[]): string =>
  `0x${toHex(joinBytes(selectorOf(signature), ...words))}`

/** `exit` pays the leaf's wallet; any account may send it. `check` only answers whether the leaf is in the last root. */
export function proofCallData(name: 'exit' | 'check', leaf: VaultLeaf, siblings: VaultSibling[]): string {
  const leafWords = [
    bytesWord(leaf.userId),
    addressWord(leaf.wallet),
    bytesWord(leaf.nonce),
    numberWord(leaf.paid),
    ...leaf.balances.map(numberWord),
  ]
  // The list of siblings follows the leaf and this offset.
  const listAt = numberWord((LEAF_WORDS + 1n) * BigInt(WORD_BYTES))
  const list = siblings.flatMap(({ hash, sum, isLeft }) => [hash, numberWord(sum), numberWord(isLeft ? 1n : 0n)])
  return callData(`${name}${PROOF_ARGUMENTS}`, ...leafWords, listAt, numberWord(BigInt(siblings.length)), ...list)
}

/** The words of a reply. An address without a contract gives no words. */
export function replyWords(reply: unknown, count: number): bigint[] {
  const digits = typeof reply === 'string' && /^0x[0-9a-f]*$/i.test(reply) ? reply.slice(2) : ''
  if (digits.length < count * 2 * WORD_BYTES) throw new Error('The node did not answer as a vault does')
  return Array.from({ length: count }, (_, at) =>
    BigInt(`0x${digits.slice(at * 2 * WORD_BYTES, (at + 1) * 2 * WORD_BYTES)}`),
  )
}
