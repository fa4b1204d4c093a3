import { freePort } from '../../src/server/embedded/postgres.ts'
import { createPool } from '../../src/server/platform/db.ts'
import { testSettings } from '../../src/server/testing/api.ts'
import { startPaymentChain } from '../../src/server/testing/chain.ts'
import { createClient } from '../faults/client.ts'
import { keepMining } from '../faults/miner.ts'
import { createModel } from '../faults/model.ts'
import { gatherPeople } from '../faults/people.ts'
import type { Scene } from '../faults/scene.ts'
import { type Cluster, newFolder, startCluster } from './cluster.ts'
import { type Replies, watchReplies } from './replies.ts'

export type Log = (line: string) => void
/** `wrong`: everything that must not happen, one sentence each. */
export type Result = { wrong: string[]; line: string }

type Work<R> = (cluster: Cluster, scene: Scene, replies: Replies) => Promise<R>

/** Runs `work` on a cluster with people and money, and a chain of its own. The logs stay if something is wrong. */
export async function withScene<R extends Result>(log: Log, work: Work<R>): Promise<R> {
  const chain = await startPaymentChain()
  const miner = keepMining(() => chain.mine())
  const settings = { ...testSettings(''), ...chain.settings, FAUCET_KEY: chain.richKey, LOG_LEVEL: 'warn' }
  let isClean = false
  let cluster: Cluster | undefined
  try {
    cluster = await startCluster({ folder: newFolder(), port: await freePort(), settings, log })
    const { ownerUrl, product } = cluster
    const replies = watchReplies()
    const { onAnswer, onError } = replies
    const client = createClient([product.port], { onAnswer, onError, mayBeLate: true })
    const owner = createPool(ownerUrl, 4)
    const place = { client, owner, ownerUrl, chain, miner, settings: { ...settings, DATABASE_URL: ownerUrl } }
    const people = await gatherPeople(place)
    log('Six users with money')
    const result = await work(cluster, { ...place, model: createModel(), people }, replies)
    isClean = result.wrong.length === 0
    await owner.end()
    return result
  } finally {
    if (cluster && !isClean) log(`The logs are in ${cluster.folder}.`)
    await cluster?.stop({ keepLogs: !isClean })
    await miner.stop()
    await chain.stop()
  }
}
