import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../src/server/embedded/postgres.ts'
import { BENCH_ORIGIN } from './http-proofs.ts'

/** `rss` grows by one sample of the memory every half second. */
export type Api = { port: number; child: ChildProcess; rss: number[] }

/** Settings for a product without a chain node and without rate limits. */
export const benchSettings = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  PUBLIC_URL: BENCH_ORIGIN,
  RPC_URL: 'http://127.0.0.1:1',
  CHAIN_ID: '31337',
  ...Object.fromEntries(
    ['USDT', 'JW', 'JWC', 'PAIR', 'VAULT'].map((name, at) => [`${name}_ADDRESS`, `0x${String(at + 1).repeat(40)}`]),
  ),
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
})

/** Runs the real API in its own process. */
export async function startApi(mode: 'group' | 'plain', databaseUrl: string): Promise<Api> {
  const port = await freePort()
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(port), ...benchSettings(databaseUrl) }
  const child = fork(join(import.meta.dirname, 'http-server.ts'), [mode], { env })
  const rss: number[] = []
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message) => {
      if (message === 'ready') resolve()
      else rss.push(Number(message))
    })
    child.once('exit', (code) => reject(new Error(`the API exited with ${code}`)))
  })
  return { port, child, rss }
}
