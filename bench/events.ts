import { parseArgs } from 'node:util'
import { createAppLogin } from '../src/server/testing/database.ts'
import { startApi } from './api-process.ts'
import { withBenchDatabase } from './database.ts'
import { moneyRows } from './events-money.ts'
import { streamRows } from './events-streams.ts'
import { report } from './report.ts'

/**
 * Measures what events cost a transaction that moves money, and how many open pages one process can serve.
 * `npm run bench:events -- --streams 20000 --rounds 5`. The open-files limit must be higher than the number of streams.
 */
const { values } = parseArgs({
  options: { streams: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '5' } },
})
const [streams, rounds] = [Number(values.streams), Number(values.rounds)]

await withBenchDatabase(async ({ ownerUrl, urls, owner, onEnd }) => {
  const api = await startApi('group', urls.api)
  onEnd(() => api.child.kill('SIGKILL'))
  const rows = await moneyRows(owner, await createAppLogin(ownerUrl), rounds)
  rows.push(...(await streamRows(owner, api, { streams, rounds })))
  report(rows)
})
