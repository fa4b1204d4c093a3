import { checkChain } from '../chain/start-check.ts'
import {
  ConfigError,
  type Env,
  readMarketSettings,
  readOperatorEnvironment,
  readOwnerUrl,
  readSettings,
  readUpSettings,
  readValid,
} from '../platform/config.ts'
import { type Checked, checkDatabase, checkListenUrl } from '../platform/database-check.ts'
import type { ProcessName } from '../platform/settings.ts'
import { type AloneCommand, wrong } from './command.ts'

/** How each process reads its settings. */
export const readers: Record<ProcessName, (env?: Env) => unknown> = {
  api: (env) => readSettings('api', env),
  worker: (env) => readSettings('worker', env),
  seeds: (env) => readSettings('seeds', env),
  ops: (env) => readSettings('ops', env),
  market: readMarketSettings,
  migrate: readOwnerUrl,
}

/** Everything that is wrong with the settings of a process: the settings themselves, the database and the chain. */
export async function checkProcess(name: ProcessName, env?: Env): Promise<Checked> {
  const { values, chain } = readValid(env)
  const setting = name === 'migrate' ? 'DATABASE_OWNER_URL' : 'DATABASE_URL'
  const url = name === 'market' ? undefined : values[setting]
  const listenUrl = name === 'migrate' ? undefined : values.DATABASE_LISTEN_URL
  const options = { connections: values.DATABASE_CONNECTIONS ?? 0, isPooled: listenUrl !== undefined }
  return join([
    { mistakes: mistakesOf(() => readers[name](env)), unknown: [] },
    name === 'migrate' ? NOTHING : await checkChain(chain),
    url ? await checkDatabase(name, setting, url, options) : NOTHING,
    url && listenUrl ? await checkListenUrl(listenUrl, url) : NOTHING,
  ])
}

/** The same for `up`, which starts and migrates what the settings do not name. */
export async function checkUp(env: Env): Promise<Checked> {
  const { values, chain } = readValid(env)
  const owner = values.DATABASE_OWNER_URL
  return join([
    { mistakes: mistakesOf(() => readUpSettings(env)), unknown: [] },
    await checkChain(chain),
    owner ? await checkDatabase('migrate', 'DATABASE_OWNER_URL', owner, { connections: 0, isPooled: false }) : NOTHING,
  ])
}

const NOTHING: Checked = { mistakes: [], unknown: [] }

const join = (parts: Checked[]): Checked => ({
  mistakes: parts.flatMap(({ mistakes }) => mistakes),
  unknown: parts.flatMap(({ unknown }) => unknown),
})

function mistakesOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

export const describeUnknown = (unknown: string[]): string =>
  `Some settings could not be checked yet:\n${unknown.map((line) => `  - ${line}`).join('\n')}`

export const checkCommand: AloneCommand = {
  name: 'check',
  takes: '[process]',
  summary: 'checks the settings as this process does when it starts; exits with 1 if one is wrong or cannot be checked',
  async runAlone({ words: [name = 'ops'], write, dataDir }) {
    if (!isProcess(name)) throw wrong(`Unknown process. The processes are: ${Object.keys(readers).join(', ')}`)
    const env = name === 'ops' ? readOperatorEnvironment(dataDir) : undefined
    const { mistakes, unknown } = await checkProcess(name, env)
    if (mistakes.length > 0) write(new ConfigError(mistakes).message)
    if (unknown.length > 0) write(describeUnknown(unknown))
    if (mistakes.length + unknown.length > 0) return 1
    write(`The settings of ${name} are right, and so are the database and the chain that they name.`)
    return 0
  },
}

const isProcess = (name: string): name is ProcessName => name in readers
