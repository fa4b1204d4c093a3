import { findHalt, HALT_SOURCES, type HaltSource, lift, pause } from '../ledger/halt.ts'
import { transaction } from '../platform/db.ts'
import { type ActCommand, wrong } from './command.ts'

const PAUSED =
  'Payouts and bets are paused. Sign-in and history still work. To resume: npm run ops -- resume --why TEXT'

/** Stopping is always safe, so it takes effect before the signature. The signature records who did it. */
const haltCommand: ActCommand = {
  name: 'halt',
  summary: 'pauses payouts and bets immediately, even before it is signed',
  async first({ context }, why) {
    await transaction(context.db, (tx) => pause(tx, 'operator', why))
    return PAUSED
  },
  prepare: async () => ({}),
  perform: async () => 'The halt is signed and in the audit log.',
}

const resumeCommand: ActCommand = {
  name: 'resume',
  takes: '[source]',
  summary: 'resumes payouts and bets',
  async prepare({ context, words }) {
    const source = sourceOf(words[0] ?? 'operator')
    const halts = await context.db.selectFrom('halts').select('source').execute()
    if (!halts.some((row) => row.source === source)) throw wrong(`There is no halt by "${source}"`)
    return { source }
  },
  async perform(tx, { act }) {
    const source = sourceOf(act['source'] ?? '')
    if (!(await lift(tx, source))) throw wrong(`There is no halt by "${source}"`)
    const other = await findHalt(tx)
    return `The halt by "${source}" is lifted.${other ? ` Still paused by "${other.source}": ${other.reason}` : ''}`
  },
}

function sourceOf(name: string): HaltSource {
  const source = HALT_SOURCES.find((known) => known === name)
  if (!source) throw wrong(`Unknown source. Halts come from: ${HALT_SOURCES.join(', ')}`)
  return source
}

export const haltCommands: ActCommand[] = [haltCommand, resumeCommand]
