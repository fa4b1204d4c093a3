import { expect, test } from 'vitest'
import type { Id } from '../../../protocol/ids.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { toHex } from '../../../verifier/bytes.ts'
import { keccak256 } from '../../../verifier/keccak.ts'
import { judgeBooks, type OnChain } from './judge.ts'
import { sealOf } from './report.ts'
import { selectors } from './selectors.ts'

const root = 'ab'.repeat(32)
const books = {
  reserves: parseUsdt('120'),
  liabilities: parseUsdt('100'),
  owed: [
    { kind: 'plan', amount: parseUsdt('60') },
    { kind: 'wallet', amount: parseUsdt('40') },
  ],
  snapshot: {
    id: 'snap_1' as Id<'snapshot'>,
    epoch: 3,
    taken_on: '2030-01-01' as never,
    taken_at: new Date('2030-01-01T00:00:00Z'),
    root,
    total: parseUsdt('99'),
    users: 2,
  },
}
const chain: OnChain = { block: 7, held: parseUsdt('110'), root: { hash: root, total: parseUsdt('99') } }

test('the seal is closed if the vault holds what is owed and has the root that is shown', () => {
  const finding = judgeBooks(books, chain)
  expect(finding).toMatchObject({ verdict: 'right', gaps: [] })
  expect(finding.notes.join()).toMatch(/holds 110.*owe 100.*epoch 3.*99/)
})

test.each<[string, Partial<typeof books>, OnChain, RegExp]>([
  ['less held than owed', { reserves: parseUsdt('99') }, chain, /hold less than we owe/],
  ['parts that do not add up', { owed: books.owed.slice(1) }, chain, /do not add up/],
  [
    'another root in the vault',
    {},
    { ...chain, root: { hash: 'cd'.repeat(32), total: parseUsdt('99') } },
    /another root/,
  ],
  ['another total in the vault', {}, { ...chain, root: { hash: root, total: parseUsdt('98') } }, /another root/],
])('the seal breaks on %s', (_what, change, onChain, words) => {
  const finding = judgeBooks({ ...books, ...change }, onChain)
  expect(finding.verdict).toBe('wrong')
  expect(finding.notes.join()).toMatch(words)
})

test.each<[string, Partial<OnChain> | undefined, RegExp]>([
  ['the chain cannot be read', undefined, /chain could not be read/],
  ['the balance cannot be read', { held: undefined }, /chain could not be read/],
  ['the root cannot be read', { root: undefined }, /root of all balances could not be read/],
  ['the vault alone holds less', { held: parseUsdt('90') }, /other wallets/],
])('the seal stays open, and says so, if %s', (_what, change, words) => {
  const finding = judgeBooks(books, change && { ...chain, ...change })
  expect(finding.verdict).toBe('open')
  expect(finding.gaps.join()).toMatch(words)
})

test('one wrong finding breaks the whole seal, and one open point leaves it open', () => {
  const [right, open] = [judgeBooks(books, chain), judgeBooks(books, undefined)]
  const wrong = judgeBooks({ ...books, owed: [] }, chain)
  expect(sealOf({ draw: right, books: right, atMs: 0 })).toBe('right')
  expect(sealOf({ draw: open, books: right, atMs: 0 })).toBe('open')
  expect(sealOf({ draw: open, books: wrong, atMs: 0 })).toBe('wrong')
})

const selectorOf = (name: string) => `0x${toHex(keccak256(new TextEncoder().encode(name))).slice(0, 8)}`

test('the selectors are those of the functions that are called', () => {
  expect(selectors).toEqual({
    balanceOf: selectorOf('balanceOf(address)'),
    rootAt: selectorOf('rootAt(uint64)'),
    roots: selectorOf('roots(bytes32)'),
  })
})
