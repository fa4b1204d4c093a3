import { sql } from 'kysely'
import { type OperatorAct, operatorActDetails } from '../../protocol/operators.ts'
import { signAct, typedDataText } from '../chain/operator-keys.ts'
import { type Tx, transaction } from '../platform/db.ts'
import { printable } from '../platform/redact.ts'
import { listWaiting, newAct, propose, sign } from './acts.ts'
import { type ActCommand, type Command, KEY, type Ops, reasonOf, table, wordAt, wrong } from './command.ts'
import { findKey } from './keys.ts'

/** Proposes an act and signs it with the operator's key. Without a key it prints what to sign elsewhere. */
export async function runAct(command: ActCommand, ops: Ops): Promise<number> {
  const why = reasonOf(ops)
  if (command.first) ops.write(await command.first(ops, why))
  const key = findKey(ops)
  const act = newAct(command.name, why, await command.prepare(ops))
  const { db, chain } = ops.context
  const { chainId } = chain.settings
  const signature = key && (await signAct(key, act, chainId))
  const record = async (tx: Tx) => {
    await propose(tx, act)
    if (signature === undefined) return whatToSign(act, chainId)
    return sign(tx, ops.context, { act, command }, { signature, chainId, as: nameGiven(ops) })
  }
  ops.write(command.first ? await recordSoon(ops, record) : await transaction(db, record))
  return 0
}

/** For an act that has taken effect already: does not wait for a transaction that holds the audit log's lock. */
async function recordSoon({ context }: Ops, record: (tx: Tx) => Promise<string>): Promise<string> {
  try {
    return await context.db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '1s'`.execute(tx)
      return await record(tx)
    })
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_TIMEOUT) throw error
    return 'This is not in the audit log yet, because another transaction has locked it. To record it, run the same command again later.'
  }
}

const LOCK_TIMEOUT = '55P03'

const nameGiven = ({ flags }: Ops) => (flags['as'] === undefined ? undefined : String(flags['as']))

const whatToSign = (act: OperatorAct, chainId: number): string => `There is no key here, so sign this elsewhere:

${typedDataText(act, chainId)}

Then add the signature: npm run ops -- sign ${act.id} --signature 0x…`

/** The act with this id, if it still waits, and the command that performs it. */
async function getWaitingAct(ops: Ops, commands: readonly ActCommand[]) {
  const id = wordAt(ops, 0, 'The id of the act')
  const row = (await listWaiting(ops.context.db)).find((waiting) => waiting.id === id)
  const command = row && commands.find(({ name }) => name === row.act)
  if (!command) throw wrong('No act with this id is waiting for signatures')
  return { act: row.details, command }
}

async function addSignature(ops: Ops, found: { act: OperatorAct; command: ActCommand }, signature: string) {
  const given = { signature, chainId: ops.context.chain.settings.chainId, as: nameGiven(ops) }
  ops.write(await transaction(ops.context.db, (tx) => sign(tx, ops.context, found, given)))
  return 0
}

async function showWaiting({ context, write }: Ops): Promise<undefined> {
  const rows = await listWaiting(context.db)
  if (rows.length === 0) return void write('Nothing is waiting for a signature.')
  const cells = rows.map(({ id, act, details, signers, proposed_at }) => [
    id,
    act,
    printable(operatorActDetails(details)),
    signers.join(', ') || '–',
    printable(details.why),
    proposed_at.toISOString(),
  ])
  return void write(table(['id', 'act', 'details', 'signed by', 'why', 'proposed'], cells))
}

/** The commands that add a signature to an act of `commands`. */
export const signCommands = (commands: readonly ActCommand[]): Command[] => [
  { name: 'approvals', summary: 'acts that wait for a signature, and who has signed them', run: showWaiting },
  {
    name: 'approve',
    takes: '<id>',
    options: KEY,
    summary: "signs another operator's act; the last signature needed performs it",
    async run(ops) {
      const found = await getWaitingAct(ops, commands)
      const [key, { chainId }] = [findKey(ops), ops.context.chain.settings]
      if (key) return addSignature(ops, found, await signAct(key, found.act, chainId))
      ops.write(whatToSign(found.act, chainId))
      return 0
    },
  },
  {
    name: 'sign',
    takes: '<id>',
    options: { signature: { type: 'string', value: '0x…', required: true, about: 'the signature made elsewhere' } },
    summary: 'adds a signature from a hardware wallet or another machine',
    async run(ops) {
      const signature = String(ops.flags['signature'] ?? '')
      if (!/^0x[0-9a-f]{130}$/i.test(signature)) throw wrong('A signature is 0x and 130 hex digits')
      return addSignature(ops, await getWaitingAct(ops, commands), signature)
    },
  },
]
