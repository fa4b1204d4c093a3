import pg from 'pg'
import { WaitingClient } from './standby.ts'

/**
 * A database URL may name several hosts, as in libpq: postgres://user:password@db1:5432,db2:5432/wellplay. Connections go
 * to the host that accepts writes. node-postgres knows only one host, so it is found here and kept until it fails.
 */

/** Scheme and login, hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^@/?]+)(.*)$/
const PROBE_MS_MAX = 3_000
const READ_ONLY = '25006'

/** One URL for each host. Empty if this is not the URL of a database. */
export function hostUrls(url: string): string[] {
  const [, login = '', hosts = '', rest = ''] = PARTS.exec(url) ?? []
  const urls = hosts.split(',').map((host) => `${login}${host}${rest}`)
  return urls.every((one) => URL.canParse(one) && new URL(one).hostname !== '') ? urls : []
}

/** The class of a pool's connections. Each pool finds the writable host again after one of its connections failed. */
export function clientFor(url: string, Base = WaitingClient): typeof pg.Client {
  const urls = hostUrls(url)
  if (urls.length < 2) return Base
  let picked: Promise<Host> | undefined
  const forget = () => {
    picked = undefined
  }

  class PickingClient extends Base {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.on('error', forget)
      // A primary that became a standby may keep its connections, but they are of no use any more.
      this.connection.on('errorMessage', ({ code }: { code: string }) => {
        if (code === READ_ONLY) setImmediate(() => this.connection.stream.destroy())
      })
    }

    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.open()
      if (!callback) return connected
      connected.then(() => callback(null as never), callback)
      return undefined
    }

    private async open(): Promise<pg.Client> {
      picked ??= findWritable(urls)
      try {
        Object.assign(this, await picked)
        return await super.connect()
      } catch (error) {
        forget()
        throw error
      }
    }
  }
  return PickingClient
}

type Host = { host: string; port: number }

/** The first host that answers and accepts writes. The others may be standbys, down or silent. */
async function findWritable(urls: string[]): Promise<Host> {
  try {
    return await Promise.any(urls.map(probe))
  } catch (error) {
    throw (error as AggregateError).errors[0]
  }
}

async function probe(connectionString: string): Promise<Host> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: PROBE_MS_MAX, query_timeout: PROBE_MS_MAX })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('show transaction_read_only')
    if (rows[0]?.transaction_read_only !== 'off')
      throw Object.assign(new Error('the database is read-only'), { code: READ_ONLY })
    return { host: client.host, port: client.port }
  } finally {
    client.end().catch(() => {})
  }
}
