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
/** Enough for repeats. After the ttl, which is longer, Patroni lets no standby take over. */
const REPEAT_MS = 3_000
const CUT_EVERY_MS = 250

/** Injects one fault and returns when everything runs again. */
export async function strike(cluster: Cluster, scene: Scene, fault: Fault): Promise<void> {
  const { database, product } = cluster
  const { blow, which, holdMs } = fault
  const { primary, standbys } = await database.becomeWhole()
  if (blow === 'retry') await retryOnFrozenStandbys(cluster, scene, { primary, standbys, which })
  else if (blow.target === 'primary') await strikePrimary(cluster, { primary, standbys }, blow.manner, holdMs)
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

type Whole = { primary: Machine; standbys: Machine[] }

/** The old primary comes back when another one has taken over. */
async function strikePrimary({ database }: Cluster, whole: Whole, manner: Manner, holdMs: number): Promise<void> {
  await strikeMachine(whole.primary, manner, async () => {
    await failOver(database, whole)
    await sleep(holdMs / 4)
  })
}

/**
 * Waits for another primary, or until Patroni trusts no standby to have every commit. It stops trusting one that was silent
 * for the ttl, which a busy machine can cause. Then only the old primary may lead again.
 */
const failOver = (database: Cluster['database'], { primary, standbys }: Whole): Promise<void> =>
  untilTrue(async () => {
    const found = await database.findPrimary().catch(() => undefined)
    if (found) return found !== primary
    const views = await Promise.all(standbys.map((standby) => standby.listRoles()))
    return views.every((roles) => standbys.every(({ name }) => roles.get(name) === 'replica'))
  }, FAILOVER_MS_MAX)

async function strikeProcess({ network }: Cluster, part: Part, manner: Manner, { holdMs }: Fault): Promise<void> {
  // Its keeper starts it again at once.
  if (manner === 'kill') return part.kill()
  if (manner === 'freeze') part.freeze()
  else network.cut(part.name)
  await sleep(holdMs)
  if (manner === 'freeze') part.thaw()
  else network.heal(part.name)
}

type Retry = Whole & { which: number }

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
  const until = performance.now() + REPEAT_MS
  while (performance.now() < until) {
    await sleep(CUT_EVERY_MS)
    await cutWaiting(primary).catch(() => {})
  }
  await primary.kill()
  for (const standby of standbys) standby.heal()
  network.heal(STANDBYS)
  await failOver(database, { primary, standbys })
  primary.start()
  await transfer
}

/** Ends the connections whose commit waits for a standby. The primary keeps what they have written. */
async function cutWaiting(primary: Machine): Promise<boolean> {
  const cut = await primary.query(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
  return cut.length > 0
}
