import { setTimeout as sleep } from 'node:timers/promises'
import { operate } from '../faults/operations.ts'
import type { Scene } from '../faults/scene.ts'
import { untilTrue } from '../faults/until.ts'
import type { Cluster } from './cluster.ts'
import { type Machine, STANDBYS } from './machine.ts'
import type { Part } from './product.ts'
import type { Fault, Manner } from './schedule.ts'

const FAILOVER_MS_MAX = 240_000
const WAITS_MS_MAX = 60_000
/** Enough for repeats. After wal_sender_timeout, which is longer, Patroni would let no standby take over. */
const REPEAT_MS = 3_000
const CUT_EVERY_MS = 250

/** Injects one fault and returns when everything runs again. */
export async function strike(cluster: Cluster, scene: Scene, fault: Fault): Promise<void> {
  const { database, product } = cluster
  const { blow, which, holdMs } = fault
  const { primary, standbys } = await database.becomeWhole()
  if (blow === 'retry') await retryOnFrozenStandbys(cluster, scene, { primary, standbys, which })
  else if (blow.target === 'primary') await strikePrimary(cluster, primary, blow.manner, fault)
  else if (blow.target === 'standby') {
    const [synchronous = primary] = standbys
    await strikeMachine(synchronous, blow.manner, () => sleep(holdMs))
  } else {
    const part = (blow.target === 'api' ? product.apis : product.workers)[which]
    if (part) await strikeProcess(cluster, part, blow.manner, fault)
  }
  await database.becomeWhole()
  await product.becomeReady()
}

async function strikeMachine(machine: Machine, manner: Manner, hold: () => Promise<unknown>): Promise<void> {
  await machine[manner]()
  try {
    await hold()
  } finally {
    if (manner === 'kill') machine.start()
    else machine.heal()
  }
}

/** The old primary comes back when another one has taken over. */
async function strikePrimary(
  { database }: Cluster,
  primary: Machine,
  manner: Manner,
  { holdMs }: Fault,
): Promise<void> {
  await strikeMachine(primary, manner, async () => {
    await failOver(database, primary)
    await sleep(holdMs / 4)
  })
}

const failOver = (database: Cluster['database'], from: Machine): Promise<void> =>
  untilTrue(async () => (await database.findPrimary()) !== from, FAILOVER_MS_MAX)

async function strikeProcess({ network }: Cluster, part: Part, manner: Manner, { holdMs }: Fault): Promise<void> {
  // Its keeper starts it again at once.
  if (manner === 'kill') return part.kill()
  if (manner === 'freeze') part.freeze()
  else network.cut(part.name)
  await sleep(holdMs)
  if (manner === 'freeze') part.thaw()
  else network.heal(part.name)
}

type Retry = { primary: Machine; standbys: Machine[]; which: number }

async function retryOnFrozenStandbys(
  { database, network }: Cluster,
  scene: Scene,
  { primary, standbys, which }: Retry,
): Promise<void> {
  // What is on its way to a frozen machine is lost with the machine that sent it.
  network.cut(STANDBYS)
  for (const standby of standbys) standby.freeze()
  const transfer = operate(scene, { kind: 'transfer', user: which, other: which + 1, draw: 0 })
  await untilTrue(() => cutWaiting(primary), WAITS_MS_MAX)
  for (let ms = 0; ms < REPEAT_MS; ms += CUT_EVERY_MS) {
    await sleep(CUT_EVERY_MS)
    await cutWaiting(primary).catch(() => {})
  }
  await primary.kill()
  for (const standby of standbys) standby.heal()
  network.heal(STANDBYS)
  await failOver(database, primary)
  primary.start()
  await transfer
}

/** Ends the connections whose commit waits for a standby. The primary keeps what they have written. */
async function cutWaiting(primary: Machine): Promise<boolean> {
  const cut = await primary.query(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
  return cut.length > 0
}
