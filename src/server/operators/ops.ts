import { brand } from '../../protocol/brand.ts'
import type { Config } from '../platform/config.ts'
import { createDb, createPool } from '../platform/db.ts'
import { auditCommand } from './audit-command.ts'

const HELP = `${brand.name} operator's command line

  npm run ops -- audit [--json]   checks the books; exits with 1 when they are broken
`

/** Runs one command of the operator and returns the exit code. */
export async function runOps(
  [command, ...args]: string[],
  settings: () => Config,
  write = console.log,
): Promise<number> {
  if (command !== 'audit') {
    write(HELP)
    return command ? 1 : 0
  }
  const db = createDb(createPool(settings().databaseUrl, 2))
  try {
    return await auditCommand(db, args, write)
  } finally {
    await db.destroy()
  }
}
