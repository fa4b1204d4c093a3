import { SERVER_ORDER, serverModuleOf } from './architecture.ts'
import type { SourceFile } from './files.ts'
import { builderTables, ownNames, possibleTableNames, sqlTexts, tableNames } from './sql-text.ts'

/** Maps each table to its owner, the module whose tables.ts declares it. */
export type Owners = Map<string, string>

export function tableOwners(files: SourceFile[]): Owners {
  const declared = files.filter(({ path }) => /^src\/server\/.+\/tables\.ts$/.test(path)).flatMap(declaredTables)
  const twice = declared.map(([table]) => table).filter((table, at, all) => all.indexOf(table) !== at)
  if (twice.length > 0) throw new Error(`declared by two modules: ${twice.join(', ')}`)
  return new Map(declared)
}

function declaredTables({ path, text }: SourceFile): [string, string][] {
  const block = /^export (?:type \w*Tables =|interface \w*Tables) \{\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? ''
  return [...block.matchAll(/^ {2}(\w+): /gm)].map(([, table = '']) => [table, serverModuleOf(path)])
}

/** The audit, tests and test helpers may read every table. */
const seesAll = (path: string) => /\/invariants[\w-]*\.ts$|\.test\.ts$|^src\/server\/testing\//.test(path)

/** Finds server SQL that names a table of a module to the right, or a table that does not exist. */
export function findTableProblems(files: SourceFile[], owners: Owners): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/server/') && !seesAll(path))
    .flatMap(({ path, text }) => {
      const module = serverModuleOf(path)
      const built = builderTables(text).flatMap((name) => problemsOf(module, name, owners))
      const written = sqlTexts(text).flatMap((sql) => sqlProblems(module, sql, owners))
      return [...new Set([...built, ...written])].map((problem) => `${path} ${problem}`)
    })
}

/** Checks one SQL text of a module. */
function sqlProblems(module: string, sql: string, owners: Owners): string[] {
  const own = ownNames(sql)
  const possible = possibleTableNames(sql).filter((name) => owners.has(name))
  const names = [...tableNames(sql), ...possible].filter((name) => !own.has(name) && !name.startsWith('pg_'))
  return names.flatMap((name) => problemsOf(module, name, owners))
}

/** Checks the database functions. Each file is named after its module: ledger.sql, ledger_audit.sql. */
export function findFunctionProblems(files: SourceFile[], owners: Owners): string[] {
  return files.flatMap(({ path, text }) => {
    const [name = ''] = /[a-z]+(?=[^/]*$)/.exec(path) ?? []
    const module = SERVER_ORDER.find((known) => known.replace('features/', '') === name)
    if (module === undefined) return [`${path} is not named after a module`]
    return [...new Set(sqlProblems(module, text, owners))].map((problem) => `${path} ${problem}`)
  })
}

function problemsOf(module: string, table: string, owners: Owners): string[] {
  const owner = owners.get(table)
  if (owner === undefined) return [`names ${table}, which is not a declared table`]
  if (SERVER_ORDER.indexOf(owner) <= SERVER_ORDER.indexOf(module)) return []
  return [`uses ${table} of server/${owner}, which is to the right of server/${module}`]
}
