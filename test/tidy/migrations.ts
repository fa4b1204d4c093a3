import type { SourceFile } from './files.ts'

/** Lists every mismatch between the migrations and the declared tables, one sentence each. */
export function findProblems(files: SourceFile[]): string[] {
  const of = (pattern: RegExp) => files.filter(({ path }) => pattern.test(path))
  const tableFiles = of(/^migrations\/\d{4}_\w+\.sql$/)
  const functionFiles = of(/^migrations\/functions\/\w+\.sql$/)
  const declarations = of(/^src\/server\/(\w+\/)*tables\.ts$/)
  const inDatabase = of(/^migrations\/schema\.sql$/).flatMap(made)
  return [
    ...undeclared(inDatabase, declarations.flatMap(declared)),
    ...[...tableFiles, ...functionFiles].flatMap((file) => inOtherModule(file, inDatabase, declarations)),
    ...tableFiles.flatMap((file) =>
      misplaced(file, /^create (?:or replace )?(?:function|aggregate|trigger|view) \w+/gm),
    ),
    ...functionFiles.flatMap((file) =>
      misplaced(file, /^create (?!or replace|constraint trigger)\w+ \w+|^alter \w+/gm),
    ),
    ...definedTwice(functionFiles),
  ]
}

const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
const made = ({ text }: SourceFile) => namesIn(text, /^create (?:(?:unlogged )?table|(?:or replace )?view) (\w+)/gm)

/** The properties of the type that ends in `Tables`: one for each table. */
function declared({ text }: SourceFile): string[] {
  const bodies = namesIn(text, /^export (?:type \w*Tables =|interface Tables) \{\n(.*?)^\}/gms)
  return bodies.flatMap((body) => namesIn(body, /^ {2}(\w+):/gm))
}

function undeclared(inDatabase: string[], inTypes: string[]): string[] {
  const tables = inDatabase.filter((name) => !inTypes.includes(name))
  const types = inTypes.filter((name) => !inDatabase.includes(name))
  return [
    ...tables.map((name) => `${name} is not declared in any tables.ts`),
    ...types.map((name) => `${name} is declared, but is not in schema.sql`),
  ]
}

/** `src/server/features/users/tables.ts` declares what `migrations/0004_users.sql` creates, unless dropped later. */
function inOtherModule(file: SourceFile, inDatabase: string[], declarations: SourceFile[]): string[] {
  const module = /(?:\d{4}_|functions\/)([a-z]+)/.exec(file.path)?.[1]
  const own = declarations.filter(({ path }) => path.endsWith(`/${module}/tables.ts`)).flatMap(declared)
  return made(file)
    .filter((name) => inDatabase.includes(name) && !own.includes(name))
    .map((name) => `${file.path}: ${name} is not declared in the tables.ts of ${module}`)
}

/** Tables belong in numbered files. Functions, triggers and views belong in functions/, as `create or replace`. */
function misplaced({ path, text }: SourceFile, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([statement]) => `${path}: ${statement} does not belong here`)
}

function definedTwice(files: SourceFile[]): string[] {
  const names = files.flatMap(({ text }) => namesIn(text, /^create or replace (?:function|aggregate|view) (\w+)/gm))
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} is defined twice`)
}
