/** The SQL in a source file: tagged templates without their expressions, and strings that start like SQL. */
export function sqlTexts(source: string): string[] {
  const code = withoutComments(source)
  const templates = [...code.matchAll(/\bsql(?:<[^`]*?>)?`/g)].map(({ index, 0: tag }) =>
    templateAt(code, index + tag.length),
  )
  const strings = [...code.matchAll(/(['"`])(\s*(?:select|insert|update|delete|with)\s(?:(?!\1)[\s\S])*)\1/gi)]
  return [...templates, ...strings.map(([, , sql = '']) => sql)]
}

/** Tables named in query builder calls, and tables whose rows are written with a posting. */
export function builderTables(source: string): string[] {
  const calls =
    /(?:\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|\w+Join|sql\.table)\(\s*|\btable: )'(\w+)[' ]/g
  return [...withoutComments(source).matchAll(calls)].map(([, name = '']) => name)
}

const withoutComments = (source: string) => source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')

/** The template that starts after the opening backtick. Each expression becomes a question mark. */
function templateAt(code: string, start: number): string {
  let sql = ''
  for (let at = start; at < code.length && code[at] !== '`'; at++) {
    const isExpression = code.startsWith('${', at)
    sql += isExpression ? '?' : code[at]
    if (isExpression) at = endOfExpression(code, at + 2)
  }
  return sql
}

function endOfExpression(code: string, start: number): number {
  for (let at = start, depth = 0; at < code.length; at++) {
    if (code[at] === '`') at = endOfTemplate(code, at + 1)
    else if (code[at] === '{') depth++
    else if (code[at] === '}' && depth-- === 0) return at
  }
  return code.length
}

function endOfTemplate(code: string, start: number): number {
  let at = start
  while (at < code.length && code[at] !== '`')
    at = code.startsWith('${', at) ? endOfExpression(code, at + 2) + 1 : at + 1
  return at
}

/** SQL without comments, string literals, column lists, and any `from` or `update` that names no table. */
const plainSql = (sql: string): string =>
  sql
    .replace(/--.*$/gm, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\b(?:extract|substring|trim|overlay)\s*\([^()]*?\bfrom\b|\bdistinct\s+from\b/gi, '')
    .replace(/\b(?:for\s+(?:no\s+key\s+)?|do\s+)update\b/gi, '')
    .replace(/\b(?:grant|revoke)\b[^;]*;/gi, '')
    .replace(/\b(?:before|after|or)\s+(?:insert|update|delete|truncate)\b/gi, '')
    .replace(/\b(into|function)\s+(\w+)\s*\([^()]*\)/gi, '$1 $2')

/** Names of common table expressions, `with name as (…)`, and of a trigger's rows, `referencing new table as name`. */
export const ownNames = (sql: string): Set<string> => {
  const expressions = /\b(\w+)\s+(?:\([^()]*\)\s+)?as\s+(?:(?:not\s+)?materialized\s+)?\(/gi
  const transitions = /\b(?:new|old) table as (\w+)/gi
  return new Set(
    [expressions, transitions].flatMap((names) =>
      [...plainSql(sql).matchAll(names)].map(([, name = '']) => name.toLowerCase()),
    ),
  )
}

/** Names that must be tables: after from, join, into, update … A bracket after from or join means a function call. */
export function tableNames(sql: string): string[] {
  const read = /\b(?:from|join)\s+(?:only\s+|lateral\s+)?([a-z]\w*)\b(?!\s*[(.])/gi
  const written = /\b(?:insert\s+into|merge\s+into|update|truncate|references)\s+(?:only\s+)?([a-z]\w*)/gi
  const watched = /\bcreate\s+(?:or\s+replace\s+)?trigger\s+\w+\s+(?:of\s+[\w\s,]+?)?\s*on\s+(\w+)/gi
  return [read, written, watched].flatMap((places) =>
    [...plainSql(sql).matchAll(places)].map(([, name = '']) => name.toLowerCase()),
  )
}

/** Names that may be a table or a column: at the start of a fragment or after a comma. */
export function possibleTableNames(sql: string): string[] {
  return [...plainSql(sql).matchAll(/(?:^\s*|,\s*)([a-z]\w*)\b(?!\s*[(.])/gi)].map(([, name = '']) =>
    name.toLowerCase(),
  )
}
