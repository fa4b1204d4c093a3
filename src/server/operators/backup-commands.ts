import { join } from 'node:path'
import { backUp, restore } from '../embedded/backup.ts'
import { startPostgres } from '../embedded/postgres.ts'
import { halt } from '../ledger/halt.ts'
import { createDb, createPool, transaction } from '../platform/db.ts'
import { takeInstanceLock } from '../platform/instance-lock.ts'
import { type AloneCommand, type Command, wordAt, wrong } from './command.ts'

export const backupCommand: Command = {
  name: 'backup',
  takes: '<folder>',
  summary: 'copies the running database there, and its log from then on',
  async run(ops) {
    const { databaseOwnerUrl } = ops.context.config
    if (!databaseOwnerUrl) throw wrong('DATABASE_OWNER_URL is not set: back the database up with its own means')
    const base = await backUp(databaseOwnerUrl, wordAt(ops, 0, 'The folder'))
    ops.write(`Done: ${base}\nWhat happens from now on follows within a minute. Keep the folder on another disk.`)
    return 0
  },
}

const RESTORED = `Done. Payouts and bets stand still: what left on chain after that instant is not in these books and
must not leave again. Start with npm start, then: npm run ops -- audit. When it is whole: npm run ops -- resume`

async function haltRestored(dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir })
  const db = createDb(createPool(postgres.ownerUrl, 1))
  try {
    await transaction(db, (tx) => halt(tx, 'operator', 'our data were restored from a backup and are being checked'))
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}

export const restoreCommand: AloneCommand = {
  name: 'restore',
  takes: '<folder>',
  options: { to: { type: 'string', value: '2026-01-31T12:00:00Z', about: 'the instant, in UTC' } },
  summary: 'puts a backup in the place of the data, as of its end or an instant',
  async runAlone({ words, flags, dataDir, write }) {
    const to = flags['to'] === undefined ? undefined : new Date(String(flags['to']))
    if (to && !/Z$/.test(String(flags['to']))) throw wrong('Say the instant in UTC: --to 2026-01-31T12:00:00Z')
    if (to && Number.isNaN(to.getTime())) throw wrong('This is not an instant')
    const from = wordAt({ words }, 0, 'The folder of the backup')
    const lock = await takeInstanceLock(dataDir, 'a restore is under way')
    try {
      const { aside } = await restore({ from, dataDir: join(dataDir, 'postgres'), to })
      await haltRestored(join(dataDir, 'postgres'))
      write(`${RESTORED}${aside ? `\nWhat was there is in ${aside}` : ''}`)
      return 0
    } finally {
      await lock.stop()
    }
  },
}
