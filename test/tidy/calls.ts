import type { SourceFile } from './files.ts'

/** Calls that no page makes, and why. An entry whose call is used must be deleted. */
export const unusedCalls: Record<string, string> = {}

/** Finds the calls, such as 'plans.buy', that files use: `plans.buy` after `import { plans } from '…/protocol/plans.ts'`. */
export function findCalls(files: SourceFile[]): Set<string> {
  const found = new Set<string>()
  for (const { text } of files)
    for (const [, names = '', module = ''] of text.matchAll(/import \{([^}]*)\} from '[./]+\/protocol\/(\w+)\.ts'/g)) {
      const own = names.split(',').find((name) => name.trim().split(' ')[0] === module)
      if (!own) continue
      const alias = own.trim().split(' as ').at(-1)
      for (const [, name] of text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))) found.add(`${module}.${name}`)
    }
  return found
}

/** Reports calls without a page or a reason, and reasons for calls that are used or do not exist. */
export function findCallProblems(
  tables: Record<string, object>,
  used: ReadonlySet<string>,
  reasons: Record<string, string>,
): string[] {
  const all = Object.entries(tables).flatMap(([feature, table]) =>
    Object.keys(table).map((name) => `${feature}.${name}`),
  )
  return [
    ...all.filter((call) => !used.has(call) && !reasons[call]).map((call) => `no page uses ${call}`),
    ...Object.keys(reasons)
      .filter((call) => used.has(call) || !all.includes(call))
      .map((call) => `${call} needs no reason`),
  ]
}
