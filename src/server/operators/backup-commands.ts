import { join } from 'node:path'
import { backUp } from '../embedded/backup.ts'
import { createIdentity } from '../embedded/encryption.ts'
import { startPostgres } from '../embedded/postgres.ts'
import { restore } from '../embedded/restore.ts'
import { halt } from '../ledger/halt.ts'
import { findOwnerUrl } from '../platform/config.ts'
import { createDb, createPool, transaction } from '../platform/db.ts'
import { takeInstanceLock } from '../platform/instance-lock.ts'
import { type AloneCommand, wordAt, wrong } from './command.ts'

export const backupCommand: AloneCommand = {
  name: 'backup',
  takes: '<folder>',
  options: { recipient: { type: 'string', value: 'age1…', about: 'encrypts the backup, see "backup key"' } },
  summary: 'copies the running database there, then archives WAL',
  async runAlone({ words, flags, dataDir, write }) {
    const ownerUrl = findOwnerUrl(dataDir)
    if (!ownerUrl) throw wrong('Wellplay is not running here. Start it first: npm start')
    const recipient = flags['recipient'] === undefined ? undefined : String(flags['recipient'])
    const base = await backUp(ownerUrl, wordAt({ words }, 0, 'The folder'), recipient)
    write(
      `Done: ${base}\nFrom now on WAL is archived there; at most a minute is lost. Keep the folder on another disk.`,
    )
    return 0
  },
}

export const backupKeyCommand: AloneCommand = {
  name: 'backup key',
  takes: '<file>',
  summary: 'creates an identity file for encrypted backups',
  async runAlone({ words, write }) {
    const file = wordAt({ words }, 0, 'The file')
    const recipient = await createIdentity(file)
    write(`Done: ${file}
Encrypt backups with --recipient ${recipient}
Only this file can decrypt them. Move it to another machine, and keep a second copy.`)
    return 0
  },
}

const RESTORED = `Done. Payouts and bets are paused: payouts sent after that time are not in this database and must not
be sent again. Run npm start, wait a minute, and then:
  npm run ops -- treasury   lists payments on chain that this database does not know
  npm run ops -- adopt      books each of them
  npm run ops -- audit      must find that all invariants hold
  npm run ops -- resume     ends the pause
Two operators must sign each adopt and resume: add --why TEXT and a key, and let the other one approve it.`

async function haltRestored(dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir })
  const db = createDb(createPool(postgres.ownerUrl, 1))
  try {
    await transaction(db, (tx) => halt(tx, 'operator', 'our data was restored from a backup and is being checked'))
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}

export const restoreCommand: AloneCommand = {
  name: 'restore',
  takes: '<folder>',
  options: {
    to: { type: 'string', value: '2026-01-31T12:00:00Z', about: 'the point in time to restore, in UTC' },
    identity: { type: 'string', value: 'FILE', about: 'the identity file of an encrypted backup' },
  },
  summary: 'replaces the data with a backup, at its end or at a point in time',
  async runAlone({ words, flags, dataDir, write }) {
    const to = flags['to'] === undefined ? undefined : new Date(String(flags['to']))
    if (to && !/Z$/.test(String(flags['to']))) throw wrong('Give the time in UTC: --to 2026-01-31T12:00:00Z')
    if (to && Number.isNaN(to.getTime())) throw wrong('This is not a valid time')
    const from = wordAt({ words }, 0, 'The backup folder')
    const lock = await takeInstanceLock(dataDir, 'a restore is running')
    try {
      const identity = flags['identity'] === undefined ? undefined : String(flags['identity'])
      const { aside } = await restore({ from, dataDir: join(dataDir, 'postgres'), to, identity })
      await haltRestored(join(dataDir, 'postgres'))
      write(`${RESTORED}${aside ? `\nThe previous data is in ${aside}` : ''}`)
      return 0
    } finally {
      await lock.stop()
    }
  },
}
