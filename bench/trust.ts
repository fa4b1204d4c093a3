import { hash, randomBytes } from 'node:crypto'
import { micro } from '../src/protocol/money.ts'
import { buildTree, siblingPlaces } from '../src/server/features/trust/tree.ts'
import { newId } from '../src/server/platform/db.ts'
import { LEAF_ACCOUNTS, type Leaf, leafBytes, rootOf } from '../src/verifier/merkle.ts'
import { median, type Row, report } from './report.ts'

/** Compares building the liability tree of 100,000 users with only hashing the same leaves. */
const USERS = 100_000
const RUNS = 3
const PROOFS = 1_000

const snapshotId = newId()
const leaves: Leaf[] = Array.from({ length: USERS }, (_, at) => ({
  snapshotId,
  userId: newId(),
  nonce: randomBytes(16),
  balances: LEAF_ACCOUNTS.map((_account, kind) => micro(BigInt(at * 1_000_003 + kind))),
}))

/** CPU time, so that other load on the machine does not change the result. */
function timed<Result>(work: () => Result): { ms: number; result: Result } {
  const began = process.cpuUsage()
  const result = work()
  return { ms: process.cpuUsage(began).user / 1000, result }
}

const flat = () => leaves.map((leaf) => hash('sha256', leafBytes(leaf), 'buffer'))
const [flatMs, treeMs]: [number[], number[]] = [[], []]
let levels = buildTree(leaves.slice(0, 1))
for (let run = 0; run < RUNS; run++) {
  flatMs.push(timed(flat).ms)
  const tree = timed(() => buildTree(leaves))
  treeMs.push(tree.ms)
  levels = tree.result
}
const root = levels.at(-1)?.[0]
const proofsBegan = process.cpuUsage()
for (let proof = 0; proof < PROOFS; proof++) {
  const position = (proof * 7_919) % USERS
  const siblings = siblingPlaces(USERS, position).map(({ level, position: at, side }) => {
    const node = levels[level]?.[at]
    if (!node) throw new Error('a node is missing')
    return { ...node, side }
  })
  const leaf = leaves[position]
  if (!leaf || !root) throw new Error('a leaf is missing')
  const found = await rootOf(leaf, siblings, (bytes) => hash('sha256', bytes, 'buffer'))
  if (found.sum !== root.sum || !Buffer.from(root.hash).equals(found.hash)) throw new Error('a proof is invalid')
}
const proofMs = process.cpuUsage(proofsBegan).user / 1000 / PROOFS

console.log(
  `${USERS} users: ${levels.length} levels, built in ${Math.round(median(treeMs))} ms, one proof checked in ${proofMs.toFixed(2)} ms`,
)
const rows: Row[] = [
  { name: 'building the tree ÷ hashing the same leaves', ratio: median(treeMs) / median(flatMs), atMost: 4 },
]
report(rows)
