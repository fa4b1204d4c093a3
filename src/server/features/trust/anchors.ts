import { sql } from 'kysely'
import { anchorCall, hasCall, lockPublisher, readSigningTerms, signCall } from '../../chain/publisher.ts'
import { requireCallable } from '../../chain/publisher-check.ts'
import type { Context } from '../../context.ts'
import { type Db, transaction } from '../../platform/db.ts'

type Due = { kind: 'colour' | 'audit'; value: Buffer }

/**
 * Records values on chain that we then cannot change: the anchor of each chain of seeds of the colour game, and once a day
 * the head of the audit log. A new chain of seeds is created thousands of rounds before its first one.
 */
export async function anchorDue({ db, chain }: Pick<Context, 'db' | 'chain'>): Promise<void> {
  for (const { kind, value } of await listDue(db)) {
    const call = anchorCall(kind, value)
    await requireCallable(chain, call)
    const terms = await readSigningTerms(chain)
    await transaction(db, async (tx) => {
      // Another worker may have signed it since we looked.
      await lockPublisher(tx, chain)
      if (!(await hasCall(tx, kind, value))) await signCall(tx, chain, call, terms)
    })
  }
}

async function listDue(db: Db): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select 'colour' as kind, anchor as value from colour_chains c
    where not exists (select from vault_calls
      where kind = 'colour' and value = c.anchor and succeeded is not false)
    union all
    (select 'audit', hash from audit_log
     where not exists (select from vault_calls where kind = 'audit' and succeeded is not false
       and signed_at >= date_trunc('day', now(), 'UTC'))
     order by id desc limit 1)`.execute(db)
  return rows
}
