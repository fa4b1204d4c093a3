import { sql } from 'kysely'
import { type OperatorAct, operatorActDetails, operatorActText } from '../../protocol/operators.ts'
import { digestOf, findSigner, type OperatorKey, signAct } from '../chain/operator-keys.ts'
import type { Context } from '../context.ts'
import { recordAction } from '../ledger/audit-log.ts'
import { type Db, newId, type Tx, transaction } from '../platform/db.ts'
import { type ActCommand, wrong } from './command.ts'

// An operator's act (R30): propose stores it, sign adds a signature, and the transaction of the last signature that is
// needed performs it. The database decides when that is (operator_perform in migrations/functions/operators.sql).

/** An act that still waits after this time can no longer be signed. The database refuses it, too. */
const WAITING_DAYS_MAX = 7

export const newAct = (act: string, why: string, args: Record<string, string>): OperatorAct => ({
  ...args,
  id: newId(),
  act,
  why,
})

export async function propose(tx: Tx, act: OperatorAct): Promise<void> {
  await refuseRepeat(tx, act)
  await tx
    .insertInto('operator_acts')
    .values({ id: act.id, act: act.act, payload: operatorActText(act), digest: digestOf(act) })
    .execute()
}

/** The same act that already waits needs a signature, not a second proposal. */
async function refuseRepeat(tx: Tx, act: OperatorAct): Promise<void> {
  const same = (await listWaiting(tx)).find(
    (other) => other.act === act.act && operatorActDetails(other.details) === operatorActDetails(act),
  )
  if (!same) return
  throw wrong(`This is already waiting for signatures. To sign it: npm run ops -- approve ${same.id}`)
}

type Signature = { signature: string; chainId: number; as?: string | undefined }

/** Stores a signature and, if it is the last one needed, performs the act. Returns what to print. */
export async function sign(
  tx: Tx,
  context: Context,
  { act, command }: { act: OperatorAct; command: ActCommand },
  { signature, chainId, as }: Signature,
): Promise<string> {
  const operator = await findSigner(act, signature, chainId)
  if (!operator) throw wrong(NOT_SIGNED)
  const name = await nameOfSigner(tx, act, operator)
  if (as !== undefined && as !== name) throw wrong(`This key belongs to ${name}, not to ${as}`)
  const inserted = await tx
    .insertInto('operator_signatures')
    .values({ act_id: act.id, operator, digest: digestOf(act), signature: signature.toLowerCase() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
    .catch(asRefusal)
  if (inserted.numInsertedOrUpdatedRows === 0n)
    throw wrong('You have already signed this: another operator must sign it')
  const { rows } = await sql<{ missing: number }>`select operator_perform(${act.id}) as missing`.execute(tx)
  if (rows[0]?.missing !== 0)
    return `Signed by ${name}. Another operator must sign it, too:\n  npm run ops -- approve ${act.id}`
  const who = (await listSigners(tx, act.id)).join(' and ')
  const said = await command.perform(tx, { context, act, who })
  await recordAction(tx, { who, what: describeAct(act), why: act.why })
  return said
}

const NOT_SIGNED = 'The signature is not from an operator’s key, or is for another act'

/** The trigger's own sentence, for example if another operator's signature has just performed the act. */
function asRefusal(error: { code?: string; message: string }): never {
  throw error.code === RAISED_BY_TRIGGER ? wrong(`The database refused the signature: ${error.message}`) : error
}

const RAISED_BY_TRIGGER = 'P0001'

/** The name of the operator with this key. The first operator signs its own enrollment. */
async function nameOfSigner(tx: Tx, act: OperatorAct, signer: string): Promise<string> {
  const operators = await tx.selectFrom('operators').selectAll().execute()
  const known = operators.find(({ address }) => address === signer)
  if (known?.revoked_at) throw wrong(`The key of ${known.name} was revoked`)
  if (known) return known.name
  if (operators.length === 0 && act.act === 'operators enroll' && act['address'] === signer) return act['name'] ?? ''
  if (operators.length === 0)
    throw wrong(
      'There are no operators yet. The first one enrolls itself: npm run ops -- operators enroll NAME ADDRESS',
    )
  throw wrong(NOT_SIGNED)
}

async function listSigners(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('operator_signatures as s')
    .innerJoin('operators as o', 'o.address', 's.operator')
    .select('o.name')
    .where('s.act_id', '=', id)
    .orderBy('s.signed_at')
    .execute()
  return rows.map(({ name }) => name)
}

/** Acts that still wait for signatures, with the names of those who have signed. */
export async function listWaiting(db: Db) {
  const rows = await db
    .selectFrom('operator_acts')
    .select(['id', 'act', 'details', 'proposed_at'])
    .where('performed_at', 'is', null)
    .where('proposed_at', '>', sql<Date>`now() - make_interval(days => ${WAITING_DAYS_MAX})`)
    .orderBy('proposed_at')
    .execute()
  return Promise.all(rows.map(async (row) => ({ ...row, signers: await listSigners(db, row.id) })))
}

/** Proposes an act and signs it with these keys in one transaction. For programs that hold the keys themselves. */
export async function performAct(
  context: Context,
  command: ActCommand,
  act: OperatorAct,
  keys: readonly OperatorKey[],
): Promise<void> {
  const { chainId } = context.chain.settings
  const signatures = await Promise.all(keys.map((key) => signAct(key, act, chainId)))
  await transaction(context.db, async (tx) => {
    await propose(tx, act)
    for (const signature of signatures) await sign(tx, context, { act, command }, { signature, chainId })
  })
}

/** For the audit log and lists. */
function describeAct(act: OperatorAct): string {
  const details = operatorActDetails(act)
  return details === '' ? act.act : `${act.act} (${details})`
}
