import { expect, test } from 'vitest'
import { listFiles } from './files.ts'
import { findProblems } from './migrations.ts'

const files = listFiles(['migrations', 'src/server'], /\.sql$|^tables\.ts$/)

test('every table and view is declared in its module, and tables and functions are in separate files', () => {
  expect(findProblems(files)).toEqual([])
})

const [SCHEMA, TYPES] = ['migrations/schema.sql', 'src/server/features/users/tables.ts']
const [TABLES, FUNCTIONS] = ['migrations/0004_users.sql', 'migrations/functions/users.sql']

test.each([
  [SCHEMA, 'create table users (', 'create table people (', 'people is not declared in any tables.ts'],
  [SCHEMA, 'create table users (', 'create table people (', 'users is declared, but is not in schema.sql'],
  [SCHEMA, 'create view colour_results', 'create view results', 'results is not declared in any tables.ts'],
  [TYPES, '  point_awards: {', '  awards: {', 'awards is declared, but is not in schema.sql'],
  [TYPES, '  point_awards: {', '  awards: {', `${TABLES}: point_awards is not declared in the tables.ts of users`],
  [
    TABLES,
    'create table sessions',
    'create table transfers',
    `${TABLES}: transfers is not declared in the tables.ts of users`,
  ],
  [TABLES, 'create sequence', 'create function', `${TABLES}: create function users_number_seq does not belong here`],
  [
    FUNCTIONS,
    'create or replace trigger',
    'create trigger',
    `${FUNCTIONS}: create trigger users_take_their_place does not belong here`,
  ],
  [FUNCTIONS, 'create or replace trigger', 'alter table users', `${FUNCTIONS}: alter table does not belong here`],
  [FUNCTIONS, 'function users_are_fixed', 'function ledger_post', 'ledger_post is defined twice'],
])('%s: changing "%s" to "%s" is reported', (path, from, to, problem) => {
  const file = files.find((candidate) => candidate.path === path)
  expect(file?.text).toContain(from)
  const planted = { path, text: file?.text.replace(from, to) ?? '' }
  expect(findProblems([...files.filter((other) => other !== file), planted])).toContain(problem)
})
