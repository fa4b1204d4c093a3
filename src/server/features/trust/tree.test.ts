import { createHash, createHmac, randomBytes, webcrypto } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { toHex } from '../../../verifier/bytes.ts'
import { leafSecrets } from '../../../verifier/leaf-keys.ts'
import type { Sha256 } from '../../../verifier/merkle.ts'
import {
  findTreeProof,
  LEAF_CONTENT_AT,
  leafContent,
  rebuildTree,
  TREE_FORMAT,
  TREE_RECORD_BYTES,
  treeHeaderBytes,
} from '../../../verifier/tree-file.ts'
import { type VaultLeaf, type VaultTree, vaultLeafBytes, vaultRootOf } from '../../../verifier/vault-tree.ts'
import { proveLeaf } from './proofs.ts'
import { buildPart, PART_LEAVES, type Part, rootOfParts, type UserLeaf } from './tree.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
/** What a browser has, not what the server hashes with. */
const browser: Sha256 = async (bytes) => new Uint8Array(await webcrypto.subtle.digest('SHA-256', bytes))

const tree: VaultTree = { chainId: 56n, vault: new Uint8Array(20).fill(7), epoch: 12n }
type Person = UserLeaf & Omit<VaultLeaf, 'nonce'>
function person(userNumber: number, amount: bigint): Person {
  const userId = sha256(Buffer.from(`user ${userNumber}`)).subarray(0, 16)
  const wallet = sha256(Buffer.from(`wallet ${userNumber}`)).subarray(0, 20)
  const leaf = { userId, wallet, paid: amount / 2n, balances: [amount, 1n, 0n, 0n, 0n, 0n, 0n, 2n, 3n] }
  return { ...leaf, userNumber, key: sha256(Buffer.from(`key ${userNumber}`)), content: leafContent(leaf) }
}

async function build(people: Person[], at = tree) {
  const parts: Part[] = []
  for (let start = 0; start < people.length; start += PART_LEAVES)
    parts.push(await buildPart(at, people.slice(start, start + PART_LEAVES)))
  const nodes = parts.map(({ node }) => node)
  const root = await rootOfParts(nodes)
  const header = treeHeaderBytes({
    format: TREE_FORMAT,
    chain_id: Number(at.chainId),
    vault: `0x${toHex(at.vault)}`,
    epoch: Number(at.epoch),
    users: people.length,
    root: toHex(root.hash),
    total: root.sum.toString(),
    paid_at: '0',
    taken_at: 1_700_000_000,
  })
  return { parts, nodes, root, header, file: Buffer.concat([header, ...parts.map(({ records }) => records)]) }
}

const crowd = Array.from({ length: 2 * PART_LEAVES + 37 }, (_, at) => person(2 * at + 1, BigInt(at) * 1_000_003n))
let big: Awaited<ReturnType<typeof build>>
beforeAll(async () => {
  big = await build(crowd)
})

test('in a tree of any size every leaf has a valid proof, and the root holds the sum of all leaves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.bigInt(0n, 10n ** 15n), { minLength: 1, maxLength: 33 }), async (amounts) => {
      const people = amounts.map((amount, at) => person(at + 1, amount))
      const { parts, nodes, root } = await build(people)
      expect(root.sum).toBe(amounts.reduce((sum, amount) => sum + amount + 6n, 0n))
      for (const { userNumber, key, userId } of people) {
        const part = { ...(parts[0] as Part), part: 0 }
        const { leaf, siblings } = await proveLeaf(tree, nodes, part, userNumber, key)
        expect(toHex(leaf.userId)).toBe(toHex(userId))
        expect(await vaultRootOf(tree, leaf, siblings, sha256)).toEqual({ hash: Buffer.from(root.hash), sum: root.sum })
      }
    }),
    { numRuns: 30, seed: 11 },
  )
})

test('the first, a middle and the last leaf of a tree with several parts have valid proofs', async () => {
  for (const at of [0, PART_LEAVES - 1, PART_LEAVES, 2 * PART_LEAVES, crowd.length - 1]) {
    const { userNumber, key, balances } = crowd[at] as Person
    const part = Math.floor(at / PART_LEAVES)
    const placed = { ...(big.parts[part] as Part), part }
    const { leaf, siblings } = await proveLeaf(tree, big.nodes, placed, userNumber, key)
    expect(leaf.balances).toEqual(balances)
    const root = await vaultRootOf(tree, leaf, siblings, sha256)
    expect([toHex(root.hash), root.sum]).toEqual([toHex(big.root.hash), big.root.sum])
  }
})

test('with a leaf key and a public file, a browser finds the leaf and its proof; another key finds nothing', async () => {
  const own = crowd[1_500] as Person
  const proof = await findTreeProof(big.file, own.key, browser)
  expect(proof?.leaf).toMatchObject({ paid: own.paid, balances: own.balances })
  const root = proof && (await vaultRootOf(tree, proof.leaf, proof.siblings, sha256))
  expect(root?.sum).toBe(big.root.sum)
  expect(await findTreeProof(big.file, randomBytes(32), browser)).toBeUndefined()
})

test('a leaf is hashed as the contract does, and its nonce is made from the leaf key and the epoch', async () => {
  const own = crowd[3] as Person
  const nonce = createHmac('sha256', own.key).update(Buffer.from('000000000000000c', 'hex')).digest().subarray(0, 16)
  const hash = sha256(vaultLeafBytes(tree, { ...own, nonce }))
  expect(toHex(big.file.subarray(big.header.length + 3 * TREE_RECORD_BYTES).subarray(0, 32))).toBe(toHex(hash))
  expect(toHex((await leafSecrets(own.key, 12n, sha256)).nonce)).toBe(toHex(nonce))
})

test('a pad never covers two leaves: it differs by user, epoch, vault and content, even if an epoch is built twice', async () => {
  const [own, other] = [person(1, 5n), person(2, 5n)]
  const later = { ...own, content: leafContent({ ...own, paid: 9n }) }
  const cases: [VaultTree, UserLeaf][] = [
    [tree, own],
    [tree, { ...own, key: other.key }],
    [tree, later],
    [{ ...tree, epoch: 13n }, own],
    [{ ...tree, vault: new Uint8Array(20).fill(8) }, own],
    [{ ...tree, chainId: 97n }, own],
  ]
  const blocks: string[] = []
  for (const [place, user] of cases) {
    const { records } = await buildPart(place, [user])
    const pad = records.subarray(LEAF_CONTENT_AT).map((byte, at) => byte ^ (user.content[at] ?? 0))
    for (let start = 0; start < pad.length; start += 16) blocks.push(toHex(pad.subarray(start, start + 16)))
  }
  expect(new Set(blocks).size).toBe(blocks.length)
})

test('the file shows nothing about a user, and nothing that links a user to the next epoch', async () => {
  const [own] = crowd as [Person]
  const next = await build(crowd.slice(0, 1), { ...tree, epoch: 13n })
  const record = (file: Buffer, header: Uint8Array) => file.subarray(header.length, header.length + TREE_RECORD_BYTES)
  const [first, second] = [record(big.file, big.header), record(next.file, next.header)]
  for (const secret of [own.userId, own.wallet, own.key, own.content])
    expect(first.indexOf(Buffer.from(secret))).toBe(-1)
  // Only the sum is the same: it is public.
  const same = Array.from(first).filter((byte, at) => (at < 32 || at >= 40) && byte === second[at])
  expect(same.length).toBeLessThan(20)
})

test('a changed byte anywhere in a file, or a missing one, is found when the tree is rebuilt or the leaf opened', async () => {
  const own = crowd[2] as Person
  const { file, header } = await build(crowd.slice(0, 5))
  const start = header.length + 2 * TREE_RECORD_BYTES
  const wrong = [
    'not a tree file',
    'not a tree file',
    'root',
    'root',
    'does not match its hash',
    'does not match its hash',
  ]
  for (const [order, at] of [0, 5, start, start + 39, start + 60, start + TREE_RECORD_BYTES - 1].entries()) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(findTreeProof(changed, own.key, browser), `byte ${at}`).rejects.toThrow(wrong[order])
  }
  await expect(rebuildTree(file.subarray(0, -1), sha256)).rejects.toThrow('not complete')
  await expect(rebuildTree(Buffer.from('hello\n'), sha256)).rejects.toThrow('not a tree file')
  const lost = Buffer.from(file)
  lost.fill(0, start + 40, start + 56)
  expect(await findTreeProof(lost, own.key, browser)).toBeUndefined()
})

test('one changed digit anywhere in a proof is caught', async () => {
  const { userNumber, key } = crowd[2] as Person
  const { leaf, siblings } = await proveLeaf(tree, big.nodes, { ...(big.parts[0] as Part), part: 0 }, userNumber, key)
  const flip = (bytes: Uint8Array) => bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte))
  const balances = [leaf.balances[0] ?? 0n, (leaf.balances[1] ?? 0n) - 1n, 1n, ...leaf.balances.slice(3)]
  const forgeries: [VaultTree, VaultLeaf, typeof siblings][] = [
    [{ ...tree, epoch: 13n }, leaf, siblings],
    [{ ...tree, vault: flip(tree.vault) }, leaf, siblings],
    [tree, { ...leaf, balances }, siblings],
    [tree, { ...leaf, paid: leaf.paid + 1n }, siblings],
    [tree, { ...leaf, wallet: flip(leaf.wallet) }, siblings],
    [tree, { ...leaf, nonce: flip(leaf.nonce) }, siblings],
    ...siblings.flatMap((step, at): [VaultTree, VaultLeaf, typeof siblings][] => [
      [tree, leaf, siblings.with(at, { ...step, sum: step.sum + 1n })],
      [tree, leaf, siblings.with(at, { ...step, hash: flip(step.hash) })],
      [tree, leaf, siblings.with(at, { ...step, isLeft: !step.isLeft })],
    ]),
  ]
  for (const [place, forged, path] of forgeries)
    expect(toHex((await vaultRootOf(place, forged, path, sha256)).hash)).not.toBe(toHex(big.root.hash))
})
