import { readFileSync } from 'node:fs'
import pg from 'pg'
import { formatReport, runAudit } from '../src/server/ledger/audit.ts'
import { ledgerInvariants } from '../src/server/ledger/invariants.ts'
import { createDb, createPool, type Db } from '../src/server/platform/db.ts'
import { createAppLogin } from '../src/server/testing/database.ts'
import { withBenchDatabase } from './database.ts'
import { auditRow, dailyRows, settleRow } from './ledger-bulk.ts'
import { nodeRows } from './ledger-node.ts'
import { rateRows, USERS } from './ledger-rates.ts'
import { hasPgbench, pgbenchTables } from './load.ts'
import { type Row, report } from './report.ts'

/** Compares the ledger with pgbench's simple-update and a plain ledger in one run. Only the ratios matter. */
const isQuick = process.argv.includes('--quick')
const scale = isQuick
  ? { rounds: 3, seconds: 2, bets: 20_000, lots: 200_000, entries: 200_000 }
  : { rounds: 5, seconds: 4, bets: 100_000, lots: 1_000_000, entries: 1_000_000 }

const plainLedger = readFileSync(new URL('ledger-plain.sql', import.meta.url), 'utf8')

async function prepare(client: pg.Client): Promise<void> {
  // Tables are vacuumed between the measurements, not during them.
  await client.query('alter system set autovacuum = off')
  await client.query('select pg_reload_conf()')
  await client.query(pgbenchTables)
  await client.query(plainLedger)
  await client.query(`
    insert into plain_accounts (id, name, currency, balance, allow_negative_balance, allow_positive_balance)
    select 'acct_' || lpad(n::text, 32, '0'), 'account ' || n, 'USDT', 1000000000, false, true
    from generate_series(0, ${USERS}) as n`)
  await client.query(`select count(ledger_open_accounts(n)) from generate_series(1, ${USERS}) as n`)
  await client.query(`
    select ledger_post('chain_deposit', new_id(), null, null, array_agg(ledger_custody()), array_agg(n * 16 + 3),
      array_agg(1000000000)) from generate_series(1::bigint, ${USERS}) as n`)
  await client.query(`
    select ledger_post_one('operator_deposit', new_id(), null, null, ledger_custody(), ledger_custody() + 1, 2e15::bigint),
      ledger_post_one('pool_funding', new_id(), null, null, ledger_custody() + 1, ledger_custody() + 2, 1e15::bigint),
      ledger_post_one('pool_funding', new_id(), null, null, ledger_custody() + 1, ledger_custody() + 5, 1e15::bigint)`)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

async function requireCleanAudit(db: Db): Promise<void> {
  const audit = await runAudit(db, ledgerInvariants)
  if (!audit.passed) throw new Error(formatReport(audit))
}

async function measure(ownerUrl: string, appUrl: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  const db = createDb(createPool(appUrl, 2))
  try {
    await client.connect()
    await prepare(client)
    const { rows, plainRate } = await rateRows(client, { ownerUrl, appUrl }, scale)
    rows.push(...(await nodeRows(appUrl, scale.rounds, scale.seconds)))
    rows.push(await settleRow(client, scale.bets, scale.rounds, plainRate))
    await requireCleanAudit(db)
    rows.push(await auditRow(client, db, scale.entries, scale.rounds))
    rows.push(...(await dailyRows(client, ownerUrl, scale.lots, scale.rounds)))
    await requireCleanAudit(db)
    return rows
  } finally {
    await client.end()
    await db.destroy()
  }
}

await withBenchDatabase(async ({ ownerUrl }) => {
  console.log(`Load generator: ${hasPgbench ? 'pgbench' : 'built-in client, because pgbench is not installed'}.`)
  report(await measure(ownerUrl, await createAppLogin(ownerUrl)))
})
