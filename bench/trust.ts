import { hash, randomBytes } from 'node:crypto'
import { proveLeaf } from '../src/server/features/trust/proofs.ts'
import {
  buildPart,
  PART_LEAVES,
  type Part,
  rootOfParts,
  sha256,
  type UserLeaf,
} from '../src/server/features/trust/tree.ts'
import { LEAF_CONTENT_BYTES } from '../src/verifier/tree-file.ts'
import { type VaultTree, vaultRootOf } from '../src/verifier/vault-tree.ts'
import { type Row, report } from './report.ts'

/** The tree of a million users: every leaf hashed and encrypted, as the worker does it every hour. */
const USERS = 1_000_000
const PROOFS = 200
const CPU_SECONDS_MAX = 30
const MEMORY_MB_MAX = 500
const PREIMAGE_BYTES = 169

const tree: VaultTree = { chainId: 56n, vault: randomBytes(20), epoch: 1n }

/** Leaves of one part, as the database returns them. Small amounts, so that the total fits. */
function readUsers(part: number): UserLeaf[] {
  const first = part * PART_LEAVES
  return Array.from({ length: Math.min(PART_LEAVES, USERS - first) }, (_, at) => {
    const content = randomBytes(LEAF_CONTENT_BYTES)
    for (let offset = 36; offset < LEAF_CONTENT_BYTES; offset += 8) content.fill(0, offset, offset + 5)
    return { userNumber: first + at + 1, key: randomBytes(32), content }
  })
}

const cpuSeconds = () => process.cpuUsage().user / 1e6
let [treeSeconds, flatSeconds, memoryMb] = [0, 0, 0]
const parts: Part[] = []
const keys: Uint8Array[] = []
for (let part = 0; part * PART_LEAVES < USERS; part++) {
  const users = readUsers(part)
  if (part % 97 === 0) keys.push(users[0]?.key ?? new Uint8Array())
  const began = cpuSeconds()
  parts.push(await buildPart(tree, users))
  const built = cpuSeconds()
  for (let leaf = 0; leaf < users.length; leaf++) hash('sha256', new Uint8Array(PREIMAGE_BYTES), 'buffer')
  treeSeconds += built - began
  flatSeconds += cpuSeconds() - built
  memoryMb = Math.max(memoryMb, process.memoryUsage.rss() / 2 ** 20)
}
const nodes = parts.map(({ node }) => node)
const root = await rootOfParts(nodes)

const began = cpuSeconds()
for (let proof = 0; proof < PROOFS; proof++) {
  const part = (proof % keys.length) * 97
  const placed = { ...(parts[part] as Part), part }
  const { leaf, siblings } = await proveLeaf(
    tree,
    nodes,
    placed,
    part * PART_LEAVES + 1,
    keys[part / 97] ?? new Uint8Array(),
  )
  const found = await vaultRootOf(tree, leaf, siblings, sha256)
  if (found.sum !== root.sum || !Buffer.from(root.hash).equals(found.hash)) throw new Error('a proof is invalid')
}
const proofMs = ((cpuSeconds() - began) * 1000) / PROOFS

console.log(
  `${USERS} users: built with ${treeSeconds.toFixed(1)} s of CPU and ${Math.round(memoryMb)} MB, one proof in ${proofMs.toFixed(2)} ms`,
)
const rows: Row[] = [
  { name: 'building the tree ÷ hashing the same leaves', ratio: treeSeconds / flatSeconds },
  { name: 'CPU seconds ÷ limit', ratio: treeSeconds / CPU_SECONDS_MAX, atMost: 1 },
  { name: 'memory ÷ limit', ratio: memoryMb / MEMORY_MB_MAX, atMost: 1 },
]
report(rows)
