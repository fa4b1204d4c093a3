import fc from 'fast-check'
import { hashTypedData, keccak256 as viemKeccak } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { attestationDigest, attestationTypedData } from '../../verifier/attestations.ts'
import { toHex } from '../../verifier/bytes.ts'
import { keccak256 } from '../../verifier/keccak.ts'
import { recoverSigner } from '../../verifier/signer.ts'

const issued = { issuer: 'Wellplay', chainId: 56 }
const words = fc.string({ unit: 'grapheme-ascii', maxLength: 300 })

test("our Keccak matches viem's at every length around a block", () => {
  for (const length of [0, 1, 135, 136, 137, 271, 272, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7 + length) & 0xff)
    expect(`0x${toHex(keccak256(bytes))}`).toBe(viemKeccak(bytes))
  }
})

test('our digest of an attestation matches EIP-712, and our recovery returns the signer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 6, maxLength: 6 }), async (texts) => {
      const [id = '', taken_on = '', taken_at = '', root = '', total = '', users = ''] = texts
      const message = { id, taken_on, taken_at, root, total, users }
      const data = attestationTypedData('Snapshot', issued, message)
      const digest = attestationDigest('Snapshot', issued, message)
      expect(`0x${toHex(digest)}`).toBe(hashTypedData(data))
      const account = privateKeyToAccount(generatePrivateKey())
      const signature = await account.signTypedData(data)
      expect(recoverSigner(digest, signature)).toBe(account.address.toLowerCase())
      expect(
        recoverSigner(
          digest,
          signature.replace(/..$/, (v) => (v === '1b' ? '1c' : '1b')),
        ),
      ).not.toBe(account.address.toLowerCase())
    }),
    { numRuns: 8, seed: 5 },
  )
})

test('an invalid signature has no signer', () => {
  const digest = new Uint8Array(32).fill(1)
  for (const signature of ['', '0x', `0x${'0'.repeat(128)}1b`, `0x${'f'.repeat(128)}1b`, `0x${'1'.repeat(128)}1d`])
    expect(recoverSigner(digest, signature)).toBeUndefined()
})
