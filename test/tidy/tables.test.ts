import { expect, test } from 'vitest'
import { listFiles } from './files.ts'
import { findFunctionProblems, findTableProblems, tableOwners } from './tables.ts'

const files = listFiles()
const owners = tableOwners(files)

test('SQL names only tables of its own module or of modules to its left', () => {
  expect(findTableProblems(files, owners)).toEqual([])
})

test('a table has one owner', () => {
  const declaring = (module: string) => ({
    path: `src/server/features/${module}/tables.ts`,
    text: 'export type Tables = {\n  things: { id: string }\n}\n',
  })
  expect([...tableOwners([declaring('plans')])]).toEqual([['things', 'features/plans']])
  expect(() => tableOwners([declaring('plans'), declaring('colour')])).toThrow('declared by two modules: things')
})

const plant = (text: string, path = 'src/server/chain/watch.ts') => findTableProblems([{ path, text }], owners)
const USERS = ['src/server/chain/watch.ts uses users of server/features/users, which is to the right of server/chain']

test.each([
  "tx.selectFrom('users').selectAll()",
  "tx.selectFrom('users as u').selectAll()",
  "db.selectFrom('chain_claims').innerJoin(\n  'users', 'number', 'user_number')",
  "tx.insertInto('users').values(row)",
  "ledger.submit(posting, [{ table: 'users', values: row }])",
  'sql`select * from users`',
  'sql<{ number: number }>`select c.id from chain_claims c left join users u on u.number = c.user_number`',
  'sql`select from chain_claims c, users u`',
  'sql`insert into users (number) values (1)`',
  'sql`update users set number = 2`',
  `sql\`select \${sql\`(select max(number) from users)\`} from chain_claims\``,
  'sql`users u left join chain_claims c on true`',
  "pool.query('select number from users')",
  'const text = `\n  select number from users`',
])('a table of a module to the right is reported in %s', (text) => {
  expect(plant(text)).toEqual(USERS)
})

test.each([
  "// tx.selectFrom('users')",
  "import { users } from '../../protocol/users.ts'",
  "sql`select users.x from chain_claims users where state = 'from users' -- from users`",
  'sql`with users as (select 1) select * from users`',
  'sql`select extract(epoch from users) from chain_claims for update skip locked`',
  `sql\`select * from unnest(\${users}) where a is distinct from users\``,
  'sql`insert into chain_claims (id) values (1) on conflict do update set state = 1`',
])('%s has no problem', (text) => {
  expect(plant(text)).toEqual([])
})

test('the audit, tests and operators may read every table', () => {
  const text = 'sql`select * from users`'
  expect(plant(text, 'src/server/chain/invariants-books.ts')).toEqual([])
  expect(plant(text, 'src/server/chain/watch.test.ts')).toEqual([])
  expect(plant(text, 'src/server/operators/ops.ts')).toEqual([])
})

test('a table that does not exist is reported', () => {
  const path = 'src/server/features/referrals/funding.ts'
  expect(plant('sql`select * from payments p join users u on true`', path)).toEqual([
    `${path} names payments, which is not a declared table`,
  ])
})

test('database functions name no tables of modules to the right', () => {
  const functions = listFiles(['migrations/functions'], /\.sql$/)
  expect(functions.length).toBeGreaterThan(10)
  expect(findFunctionProblems(functions, owners)).toEqual([])
})

test('a planted function or trigger that uses a table to the right is reported', () => {
  const plantFunction = (path: string, text: string) => findFunctionProblems([{ path, text }], owners)
  const count = 'create or replace function f(a int, users int) returns int return (select count(*) from plan_lots);'
  const trigger = 'create or replace trigger t before insert or update of amount on plan_lots for each row execute f();'
  expect(plantFunction('migrations/functions/rewards.sql', count)).toEqual([])
  for (const text of [count, trigger])
    expect(plantFunction('migrations/functions/ledger_audit.sql', text)).toEqual([
      'migrations/functions/ledger_audit.sql uses plan_lots of server/features/plans, which is to the right of server/ledger',
    ])
  expect(plantFunction('migrations/functions/other.sql', '')).toEqual([
    'migrations/functions/other.sql is not named after a module',
  ])
})
