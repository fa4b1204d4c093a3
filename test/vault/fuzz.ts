import fc from 'fast-check'
import { act, exit, type Intent, type Play } from './actions.ts'
import { createBooks, publish } from './books.ts'
import type { VaultCode } from './contracts.ts'
import { DAY } from './model.ts'
import { createGround, type Ground, people, type World } from './world.ts'

const LENGTH_MAX = 160
/** All figures are compared after this many actions, and at the end of each sequence. */
const COMPARE_EVERY = 80
/** Sequences between two looks at the number of calls. */
const ROUND_RUNS = 5
const USDT = 1_000_000n

const intents = fc.array(fc.record({ kind: fc.nat(), a: fc.nat(9_999), b: fc.nat(9_999) }), {
  minLength: LENGTH_MAX / 2,
  maxLength: LENGTH_MAX,
  size: 'max',
})

export type FuzzResult = { calls: number; seed: number; broken: string | undefined; seconds: number }

/** Runs random sequences until at least this many calls are made, or until one disagrees or breaks a promise. */
export async function fuzz(code: VaultCode, options: { calls: number; seed: number }): Promise<FuzzResult> {
  const ground = await createGround(code)
  const began = performance.now()
  let calls = 0
  const sequence = fc.asyncProperty(intents, async (list) => {
    calls += await playSequence(ground, list)
  })
  let broken: string | undefined
  for (let round = 0; calls < options.calls && !broken; round++) {
    const seed = options.seed + round
    const found = await fc.check(sequence, { seed, numRuns: ROUND_RUNS, endOnFailure: true })
    if (found.failed) broken = `${found.errorInstance} (seed ${seed}, path ${found.counterexamplePath})`
  }
  return { calls, seed: options.seed, broken, seconds: (performance.now() - began) / 1000 }
}

async function playSequence(ground: Ground, list: Intent[]): Promise<number> {
  const world = await ground.start()
  const play: Play = { world, books: createBooks(world.model), snapshots: [], ids: [], calls: 0 }
  try {
    await begin(play)
    for (const [at, intent] of list.entries()) {
      await act(play, intent)
      if (at % COMPARE_EVERY === COMPARE_EVERY - 1) await world.compare()
    }
    await collectAll(play)
    await world.compare()
  } finally {
    await ground.reset()
  }
  return play.calls
}

/** Each sequence starts with some money and a root. */
async function begin({ world, books }: Play): Promise<void> {
  for (const [at, user] of people.users.entries()) {
    const micro = BigInt(at * at * 100) * USDT
    await world.deposit(micro)
    books.credit(user, micro)
  }
  world.pass(1n)
  await publish(world, books, people.publisher)
}

/** If exits are open at the end, everybody collects what is due, some a year later. Then all shares must be equal. */
async function collectAll(play: Play): Promise<void> {
  const { world, books } = play
  if (!isOpen(world)) return
  await world.setManner('Plain')
  const places = [...(books.lastTree()?.leaves.keys() ?? [])]
  for (const at of places.slice(play.calls % (places.length + 1))) await exit(play, at, 4)
  if (play.calls % 2 === 0) world.pass(365n * DAY)
  for (const at of [...places, ...places]) await exit(play, at, 4)
  world.history.needEqualShares()
  await world.send(world.model.owner, { name: 'takeRest', args: [] })
}

const isOpen = ({ model }: World) => model.openedAt !== 0n

export function report({ calls, seed, broken, seconds }: FuzzResult): string {
  return `calls=${calls} seed=${seed} broken=${broken ? 1 : 0} calls/s=${Math.round(calls / seconds)}`
}
