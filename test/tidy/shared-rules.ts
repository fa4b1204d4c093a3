import type { SourceFile } from './files.ts'

/** Reports rules that are not defined once in src/protocol and called once in src/web and once in src/server. */
export function findRuleProblems(files: SourceFile[], rules: readonly string[]): string[] {
  const sources = files.filter(({ path }) => path.startsWith('src/') && !path.includes('.test.'))
  const unlisted = sources
    .filter(({ path }) => path.startsWith('src/protocol/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:function|const) (refuse\w+)/gm)].map(([, name = '']) => ({ path, name })),
    )
    .filter(({ name }) => !rules.includes(name))
    .map(({ path, name }) => `${path}: ${name} is not listed in protocol/rules.ts`)
  return [...unlisted, ...rules.flatMap((rule) => ruleProblems(sources, rule))]
}

function ruleProblems(sources: SourceFile[], rule: string): string[] {
  const count = (pattern: RegExp, folder = 'src/') =>
    sources
      .filter(({ path }) => path.startsWith(folder))
      .reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0)
  const definition = new RegExp(`\\b(?:function|const|let) ${rule}\\b`, 'g')
  const call = new RegExp(`(?<!function )\\b${rule}\\(`, 'g')
  const found = {
    'defined in src/protocol': count(definition, 'src/protocol/'),
    'defined in src': count(definition),
    'called in src/web': count(call, 'src/web/'),
    'called in src/server': count(call, 'src/server/'),
  }
  return Object.entries(found)
    .filter(([, times]) => times !== 1)
    .map(([what, times]) => `${rule} is ${what} ${times} times, not once`)
}
