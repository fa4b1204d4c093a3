import { expect, test } from 'vitest'
import { toHex } from './bytes.ts'
import { type VaultLeaf, vaultLeafBytes, vaultLeafSum, vaultNodeBytes } from './vault-tree.ts'

const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte)
const tree = { chainId: 56n, vault: filled(20, 0xaa), epoch: 258n }
const leaf: VaultLeaf = {
  userId: filled(16, 0xbb),
  wallet: filled(20, 0xcc),
  nonce: filled(16, 0xdd),
  paid: 1n,
  balances: [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 2n ** 64n - 1n],
}
const uint64 = (value: bigint) => value.toString(16).padStart(16, '0')

test('a leaf is tag, chain id, vault, epoch, user, wallet, nonce, paid and nine balances', () => {
  const expected = [
    '00',
    uint64(56n),
    'aa'.repeat(20),
    uint64(258n),
    'bb'.repeat(16),
    'cc'.repeat(20),
    'dd'.repeat(16),
    uint64(1n),
    ...leaf.balances.map(uint64),
  ]
  expect(toHex(vaultLeafBytes(tree, leaf))).toBe(expected.join(''))
  expect(vaultLeafBytes(tree, leaf)).toHaveLength(169)
  expect(vaultLeafSum(leaf)).toBe(36n + 2n ** 64n - 1n)
})

test('a node is tag, then hash and sum of each child', () => {
  const bytes = vaultNodeBytes({ hash: filled(32, 1), sum: 2n }, { hash: filled(32, 3), sum: 4n })
  expect(toHex(bytes)).toBe(`01${'01'.repeat(32)}${uint64(2n)}${'03'.repeat(32)}${uint64(4n)}`)
})

test('a field of another length or range is refused', () => {
  const encode = (changed: Partial<VaultLeaf>) => () => vaultLeafBytes(tree, { ...leaf, ...changed })
  expect(encode({ balances: [1n] })).toThrow('nine balances')
  expect(encode({ wallet: filled(19, 1) })).toThrow('expected 20 bytes, got 19')
  expect(encode({ paid: -1n })).toThrow('does not fit')
  expect(encode({ paid: 2n ** 64n })).toThrow('does not fit')
  expect(() => vaultNodeBytes({ hash: filled(31, 1), sum: 0n }, { hash: filled(32, 1), sum: 0n })).toThrow('32 bytes')
})
