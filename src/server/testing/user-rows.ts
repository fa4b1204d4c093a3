import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/** Which rows are about a user, read from the schema alone: independent of the lists that the export uses. */
type Column = { table: string; column: string; type: string }
type Reference = { table: string; columns: string[]; target: string; targetColumns: string[] }
export type Person = { number: number; username: string; wallet_address: string }

/** The columns of all tables. `type` is the name of the domain, if the column has one. */
export async function listColumns(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as column, a.atttypid::regtype::text as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname, a.attnum`.execute(db)
  return rows
}

async function listReferences(db: Db): Promise<Reference[]> {
  const names = (relation: string, keys: string) => sql`
    (select array_agg(attname::text order by at) from unnest(${sql.ref(keys)}) with ordinality k (num, at)
      join pg_attribute on attrelid = ${sql.ref(relation)} and attnum = num)`
  const { rows } = await sql<Reference>`
    select conrelid::regclass::text as table, ${names('conrelid', 'conkey')} as columns,
      confrelid::regclass::text as target, ${names('confrelid', 'confkey')} as "targetColumns"
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(db)
  return rows
}

/** Wallets and contracts of the operator, not of users. */
const operatorAddresses = [
  ...['chain_key_places.address', 'chain_treasury.wallet', 'chain_wallets.address', 'liability_snapshots.vault'],
  ...['operators.address', 'vault_voids.vault'],
]
/** How many users there are in a snapshot. */
const counts = ['liability_snapshots.users']

const namesUser = ({ table, column, type }: Column): boolean =>
  !operatorAddresses.includes(`${table}.${column}`) &&
  !counts.includes(`${table}.${column}`) &&
  (/user|wallet|owner|sponsor|ancestors|^(from|to)_number$/.test(column) ||
    ['evm_address', 'username', 'referral_code'].includes(type))

/** Tables that name a user in a column, and those that refer to one of these. */
export async function listUserTables(db: Db): Promise<string[]> {
  const [columns, references] = [await listColumns(db), await listReferences(db)]
  const related = new Set(columns.filter(namesUser).map(({ table }) => table))
  for (let before = -1; before < related.size; ) {
    before = related.size
    for (const { table, target } of references) if (related.has(target)) related.add(table)
  }
  return [...related].toSorted()
}

/**
 * How many rows of each table are about this person: by their number, address or name in a column of the row, or else
 * by a reference to such a row. Tables whose rows only a computation assigns to a user are not counted.
 */
export async function countUserRows(db: Db, person: Person): Promise<Record<string, number>> {
  const [columns, references] = [await listColumns(db), await listReferences(db)]
  const conditionOf = (table: string, seen: readonly string[] = []): RawBuilder<unknown> | undefined => {
    const own = columns.filter((each) => each.table === table).flatMap((each) => matchOf(each, person))
    if (own.length > 0) return sql`(${sql.join(own, sql` or `)})`
    const through = references
      .filter((each) => each.table === table && each.target !== 'users' && !seen.includes(each.target))
      .flatMap(({ columns: names, target, targetColumns }) => {
        const parent = conditionOf(target, [...seen, table])
        if (!parent) return []
        const list = (all: string[]) => sql.join(all.map((name) => sql.ref(name)))
        return [sql`(${list(names)}) in (select ${list(targetColumns)} from ${sql.table(target)} where ${parent})`]
      })
    return through.length > 0 ? sql`(${sql.join(through, sql` or `)})` : undefined
  }
  const counted: Record<string, number> = {}
  for (const table of new Set(columns.map((each) => each.table))) {
    const condition = conditionOf(table)
    if (!condition) continue
    const { rows } = await sql<{ rows: number }>`
      select count(*)::int as rows from ${sql.table(table)} where ${condition}`.execute(db)
    counted[table] = rows[0]?.rows ?? 0
  }
  return counted
}

function matchOf({ table, column, type }: Column, person: Person): RawBuilder<unknown>[] {
  const is = (value: unknown) => [sql`${sql.ref(column)} = ${value}`]
  if (table === 'users') return column === 'number' ? is(person.number) : []
  if (type === 'integer' && /^(user|from|to)_number$/.test(column)) return is(person.number)
  if (type === 'evm_address' || column === 'wallet_address') return is(person.wallet_address)
  return type === 'username' ? is(person.username) : []
}
