import { sql } from 'kysely'
import { formatUsdt, micro, type Usdt } from '../../../protocol/money.ts'
import { toHex } from '../../../verifier/bytes.ts'
import { leafLevel } from '../../../verifier/tree-file.ts'
import { levelsFrom } from '../../../verifier/vault-levels.ts'
import type { Invariant } from '../../ledger/audit.ts'
import type { Db } from '../../platform/db.ts'
import { readNodes } from './proofs.ts'
import { rootOfParts, sha256 } from './tree.ts'

type Latest = { id: string; taken_on: string; total: Usdt; ledger_total: Usdt; root: Buffer; is_logged: boolean }

/** The latest snapshot matches the ledger, its tree gives its total and root, and its root is in the audit chain. */
export const trustInvariants: Invariant[] = [
  {
    number: 25,
    name: 'The liability snapshot sums to the ledger',
    async check(tx) {
      const { rows } = await sql<Latest>`
        select s.id, s.taken_on, s.total, s.ledger_total, s.root,
          exists (select from audit_log where who = 'snapshot'
            and starts_with(what, 'liability snapshot: root ' || encode(s.root, 'hex') || ', ')) as is_logged
        from liability_snapshots s where epoch is not null order by taken_at desc limit 1`.execute(tx)
      const [latest] = rows
      if (!latest) return []
      const { taken_on, total, ledger_total, is_logged } = latest
      return [
        ...(total === ledger_total
          ? []
          : [`${taken_on}: the snapshot holds ${formatUsdt(total)}, but the ledger held ${formatUsdt(ledger_total)}`]),
        ...(await findWrongTree(tx, latest)),
        ...(is_logged ? [] : [`${taken_on}: the snapshot's root is not in the audit chain`]),
      ]
    },
  },
]

/** Rebuilds the tree above its parts, and one part at random: in the course of a day all are read many times. */
async function findWrongTree(db: Db, { id, taken_on, total, root }: Latest): Promise<string[]> {
  const nodes = await readNodes(db, id)
  const found = await rootOfParts(nodes)
  const { rows } = await sql<{ part: number; node: Buffer; records: Buffer }>`
    select part, node, records from liability_parts
    where snapshot_id = ${id} and part = ${Math.floor(Math.random() * nodes.length)}`.execute(db)
  const wrong: string[] = []
  for (const { part, node, records } of rows) {
    const rebuilt = (await levelsFrom(leafLevel(records), sha256)).at(-1)
    if (!rebuilt || !node.equals(rebuilt))
      wrong.push(`${taken_on}: part ${part} of the snapshot does not match its root`)
  }
  if (found.sum !== total)
    wrong.push(
      `${taken_on}: the snapshot holds ${formatUsdt(total)}, but its leaves sum to ${formatUsdt(micro(found.sum))}`,
    )
  if (toHex(found.hash) !== toHex(root)) wrong.push(`${taken_on}: the snapshot's tree does not lead to its root`)
  return wrong
}
