import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Connects to the tested product's database as its owner, to set up data that would take a browser too long. */
export async function withDatabase<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const folder = join(process.env['JOURNEY_DATA'] ?? '', 'postgres')
  const { owner } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { owner: string }
  const port = readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n')[3]
  const client = new pg.Client({ connectionString: `postgres://postgres:${owner}@127.0.0.1:${port}/wellplay` })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
