import { dirname, join, normalize } from 'node:path'
import type { SourceFile } from './files.ts'

/** The order of the server's modules. A module imports only from its left, so there can be no cycle. */
export const SERVER_ORDER = [
  'platform',
  'embedded',
  'ledger',
  'chain',
  'context',
  'features/terms',
  'features/users',
  'features/declarations',
  'features/referrals',
  'features/withdrawals',
  'features/transfers',
  'features/plans',
  'features/colour',
  'features/rewards',
  'features/balance',
  'features/wallet',
  'features/wellness',
  'features/quiz',
  'features/shares',
  'features/support',
  'features/trust',
  'features/news',
  'features/records',
  'features/deletion',
  'operators',
  'tables',
  'processes',
  'main',
  'testing',
]

/** Code that is allowed in one place only. */
const BANS: { pattern: RegExp; allowed: RegExp; message: string }[] = [
  {
    pattern: /\bprocess\.env\b/,
    allowed: /^(src\/server\/(platform\/config|main|testing\/)|scripts\/|test\/|bench\/|.*config\.ts)/,
    message: 'read settings through platform/config',
  },
  {
    pattern: /from 'viem/,
    allowed: /^(src\/server\/(chain|embedded|testing)\/|src\/web\/shared\/wallet\/|test\/|bench\/)/,
    message: 'import viem only in server/chain, server/embedded and web/shared/wallet',
  },
  {
    pattern: /\bparseUnits\b/,
    allowed: /^src\/protocol\/money\.ts/,
    message: 'parse amounts with protocol/money, because parseUnits rounds',
  },
  {
    pattern: /\bnew Date\(\)|\bDate\.now\b/,
    allowed:
      /^(src\/server\/(platform|embedded|testing)\/|src\/server\/processes\/|src\/(web|ui)\/|scripts\/|test\/|bench\/|.*\.test\.ts)/,
    message: "use the context's clock or the database's",
  },
  {
    pattern: /(insert\s+into|update|delete\s+from)\s+(ledger_\w+)/i,
    allowed: /^(src\/server\/ledger\/|test\/|bench\/|.*\.test\.ts)/,
    message: 'only server/ledger may write to the ledger',
  },
  {
    pattern: /^(?:export )?interface /m,
    allowed: /^src\/server\/(platform\/)?tables\.ts/,
    message: 'use type, not interface, except to extend a declared module',
  },
  {
    pattern: /@ts-(ignore|nocheck)|biome-ignore|\bvi\.mock\b/,
    allowed: /^$/,
    message: 'do not disable checks or mock our own modules',
  },
  {
    pattern: /\b(?:it|test|describe)\.(?:only|skip|todo)\b/,
    allowed: /^$/,
    message: 'do not skip or focus tests',
  },
]

/** Lists every violation of the architecture in these files, one sentence each. */
export function findProblems(files: SourceFile[]): string[] {
  return files.flatMap((file) => [...bannedWords(file), ...forbiddenImports(file)])
}

function bannedWords({ path, text }: SourceFile): string[] {
  return BANS.filter(({ pattern, allowed }) => !allowed.test(path) && pattern.test(text)).map(
    ({ pattern, message }) => `${path}: ${pattern.exec(text)?.[0]} — ${message}`,
  )
}

function forbiddenImports({ path, text }: SourceFile): string[] {
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].map((match) => match[1] ?? '')
  return imports.flatMap((specifier) => {
    // A query after the path is an option for the bundler, not part of the file name.
    const target = normalize(join(dirname(path), specifier.replace(/\?.*$/, '')))
    const problem = importProblem(path, target)
    return problem ? [`${path} imports ${target}: ${problem}`] : []
  })
}

function importProblem(path: string, target: string): string | undefined {
  if (!/\.\w+$/.test(target)) return 'relative imports must include the file extension'
  if (/(^|\/)index\.tsx?$/.test(target)) return 'no barrels'
  const from = path.split('/')
  const to = target.split('/')
  if (path.includes('.test.') || from[0] !== 'src' || to[0] !== 'src') return undefined
  if (from[1] === 'server' && to[1] === 'server') return serverProblem(path, target)
  if (from[1] === 'web' && to[1] === 'web') return webProblem(from, to)
  const allowed: Record<string, string[]> = {
    verifier: ['verifier'],
    protocol: ['protocol', 'verifier'],
    server: ['server', 'protocol', 'verifier'],
    ui: ['ui', 'protocol'],
    web: ['web', 'ui', 'protocol', 'verifier'],
  }
  return allowed[from[1] ?? '']?.includes(to[1] ?? '') ? undefined : `${from[1]} may not import ${to[1]}`
}

function serverProblem(from: string, to: string): string | undefined {
  const [own, other] = [serverModuleOf(from), serverModuleOf(to)]
  if (!SERVER_ORDER.includes(own)) return `server/${own} is missing from the list of modules`
  return SERVER_ORDER.indexOf(other) <= SERVER_ORDER.indexOf(own)
    ? undefined
    : `server/${other} is to the right of server/${own}`
}

// `src/server/features/plans/top-up.ts` is features/plans, `src/server/context.ts` is context.
export function serverModuleOf(path: string): string {
  const [, , name = '', feature = ''] = path.split('/')
  return name === 'features' ? `features/${feature}` : name.replace(/\.ts$/, '')
}

// A web feature never imports another. app/ composes features, and all of them may use shared/.
function webProblem(from: string[], to: string[]): string | undefined {
  const [own, other] = [from[2], to[2]]
  if (own === 'app' || other === 'shared' || own === other) return undefined
  return `web/${own} may not import web/${other}`
}
