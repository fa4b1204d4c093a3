import { sql } from 'kysely'
import { formatUsdt, type Usdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import { describeHotWallet } from '../chain/payouts/payouts.ts'
import { DAILY_JOB } from '../features/rewards/jobs.ts'
import { ROOT_JOB } from '../features/trust/publish.ts'
import { readPools } from '../features/trust/summary.ts'
import { getSystemBalances } from '../ledger/balances.ts'
import { hostUrls } from '../platform/database-hosts.ts'
import { makeDue } from '../platform/jobs.ts'
import { type Command, type Ops, table } from './command.ts'

/** What an operator needs to see first, on one screen. */
async function status({ context, write }: Ops): Promise<undefined> {
  const { db, chain } = context
  const [balances, halts, counts, hot] = await Promise.all([
    getSystemBalances(db),
    db.selectFrom('halts').selectAll().execute(),
    countWork(db),
    describeHotWallet(chain).catch(() => undefined),
  ])
  write(
    table(
      ['account', 'USDT'],
      Object.entries(balances).map(([kind, amount]) => [kind, formatUsdt(amount)]),
    ),
  )
  write('')
  write(
    table(
      ['now', ''],
      [
        ['vault', hot ? `${hot.vault}: ${hot.usdt} USDT` : 'the chain node is not responding'],
        ['hot wallet', hot ? `${hot.address}: ${hot.bnb} BNB` : 'the chain node is not responding'],
        ['chain read up to block', counts?.block ? `${counts.block}, ${counts.age} s ago` : 'not yet'],
        ['withdrawals waiting', String(counts?.waiting ?? 0)],
        ['withdrawals in progress', String(counts?.open ?? 0)],
        ['unbooked payments', String(counts?.unbooked ?? 0)],
        ['halted', halts.length === 0 ? 'no' : halts.map(({ source, reason }) => `${source}: ${reason}`).join('; ')],
      ],
    ),
  )
  return undefined
}

type Counts = { waiting: bigint; open: bigint; unbooked: bigint; block: bigint | null; age: number | null }

async function countWork(db: Ops['context']['db']): Promise<Counts | undefined> {
  const { rows } = await sql<Counts>`
    select (select count(*) from withdrawals where state = 'waiting') as waiting,
      (select count(*) from withdrawals where state in ('requested', 'signed', 'sent')) as open,
      (select count(*) from chain_unbooked) as unbooked,
      (select max(block_number) from chain_cursor) as block,
      (select extract(epoch from now() - max(moved_at))::int from chain_cursor) as age`.execute(db)
  return rows[0]
}

async function pools({ context, write }: Ops): Promise<undefined> {
  const rows = (await readPools(context.db)).map(({ name, balance, daily_cost, cover_days }) => [
    name,
    formatUsdt(balance),
    formatUsdt(daily_cost),
    cover_days === null ? '–' : String(cover_days),
  ])
  write(table(['pool', 'USDT', 'cost per day', 'days of cover'], rows))
  return undefined
}

/** Deposits from unregistered wallets. They stay outside the ledger until claimed. */
async function unclaimedDeposits({ context, write }: Ops): Promise<undefined> {
  const { rows } = await sql<{ tx_hash: string; from_address: string; amount: Usdt; happened_at: Date }>`
    select t.tx_hash, t.from_address, div(t.value_wei, ${WEI_PER_MICRO}::numeric)::bigint as amount, t.happened_at
    from chain_unbooked w join chain_payments t on t.id = w.payment_id
    where t.direction = 'in' order by t.happened_at`.execute(context.db)
  if (rows.length === 0) return void write('Every deposit is booked.')
  const cells = rows.map((row) => [
    row.tx_hash,
    row.from_address,
    formatUsdt(row.amount),
    row.happened_at.toISOString(),
  ])
  return void write(table(['hash', 'from', 'USDT', 'happened'], cells))
}

/** Without login and password. */
const hostsOf = (url: string): string[] => hostUrls(url).map((one) => new URL(one).host)

/** The settings of this instance. Operators have no keys to show. */
async function settings({ context, write }: Ops): Promise<undefined> {
  const { databaseUrl, listenUrl, chain, ...rest } = context.config
  const { hotWalletKey: _hot, publisherKey: _publisher, receiptKey: _receipt, faucetKey: _faucet, ...known } = chain
  const { signerUrl: _signer, ...open } = known
  const shown = {
    ...rest,
    database: hostsOf(databaseUrl),
    listensAt: hostsOf(listenUrl),
    chain: open,
  }
  const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  write(JSON.stringify(shown, text, 2))
  return undefined
}

async function log({ context, write }: Ops): Promise<undefined> {
  const rows = await context.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(50).execute()
  const cells = rows.map(({ id, at, who, what, why }) => [String(id), at.toISOString(), who, what, why])
  write(table(['#', 'when', 'who', 'what', 'why'], cells))
  return undefined
}

export const stateCommands: Command[] = [
  { name: 'status', summary: 'system accounts, hot wallet, waiting work and halts', run: status },
  { name: 'pools', summary: 'pools and how many days they last', run: pools },
  {
    name: 'deposits',
    summary: 'deposits from unregistered wallets, outside the ledger until claimed',
    run: unclaimedDeposits,
  },
  { name: 'settings', summary: 'settings of this instance', run: settings },
  { name: 'log', summary: 'the latest actions in the audit log', run: log },
  {
    name: 'daily-run',
    summary: 'lets the worker do the nightly work now: daily rewards, deferred rewards, matured lots',
    async run({ context, write }) {
      // The worker pays rewards; an operator's login cannot.
      await makeDue(context.db, DAILY_JOB)
      write('The worker starts within a minute. Nothing is paid twice.')
      return 0
    },
  },
  {
    name: 'snapshot',
    summary: 'lets the worker publish the root of what users are owed now',
    async run({ context, write }) {
      // The worker has the key of the publisher; an operator has not.
      await makeDue(context.db, ROOT_JOB)
      write('The worker publishes a root within a minute if something has changed. See /trust.')
      return 0
    },
  },
]
