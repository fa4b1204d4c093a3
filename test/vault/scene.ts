import assert from 'node:assert/strict'
import { type Hex, numberToHex } from 'viem'
import { type Books, createBooks, publish, type Snapshot } from './books.ts'
import { DAY, HOUR } from './model.ts'
import type { Call } from './rules.ts'
import { type Ground, people, type World } from './world.ts'

export const USDT = 1_000_000n

/** A vault, its books and short names for what a sequence does. Every call is also checked by model and promises. */
export type Scene = {
  ground: Ground
  world: World
  books: Books
  /** A deposit that is booked for this wallet. */
  fund(wallet: Hex, usdt: bigint): Promise<void>
  publish(snapshot?: Snapshot): Promise<string | undefined>
  /** Goes one hour on and publishes a root, this many times. */
  hours(count: number): Promise<void>
  /** The same with half days. */
  days(count: number): Promise<void>
  /** Pays whole USDT with a new id, and books it if the wallet is owed it. */
  pay(to: Hex, usdt: bigint): Promise<string | undefined>
  send(from: Hex, call: Call): Promise<string | undefined>
  /** Six days without a root, notice, one more day. */
  openExits(): Promise<void>
  /** Collects what is due to this wallet with its proof in the last root. */
  exit(wallet: Hex): Promise<string | undefined>
  /** Fails unless the wallet has received exactly this much, in micro-USDT. */
  received(wallet: Hex, micro: bigint): Promise<void>
}

export const [ada, ben, cleo] = people.users as [Hex, Hex, Hex]

/** A published vault that owes three users 1,000 USDT each and holds exactly that. */
export async function tight(scene: Scene): Promise<void> {
  for (const user of [ada, ben, cleo]) await scene.fund(user, 1_000n)
  scene.world.pass(60n)
  await done(scene.publish())
}

export async function play(ground: Ground, act: (scene: Scene) => Promise<void>): Promise<void> {
  const world = await ground.start()
  try {
    await act(createScene(ground, world))
    await world.compare()
  } finally {
    await ground.reset()
  }
}

let lastId = 0
export const newId = (): Hex => numberToHex(++lastId, { size: 32 })

/** The call must be accepted. */
export async function done(outcome: Promise<string | undefined>): Promise<void> {
  assert.equal(await outcome, undefined)
}

/** The call must be refused with this error. */
export async function refused(outcome: Promise<string | undefined>, error: string): Promise<void> {
  assert.equal(await outcome, error)
}

function createScene(ground: Ground, world: World): Scene {
  const books = createBooks(world.model)
  const scene: Scene = {
    ground,
    world,
    books,
    send: world.send,
    fund: async (wallet, usdt) => {
      await world.deposit(usdt * USDT)
      books.credit(wallet, usdt * USDT)
    },
    publish: (snapshot) => publish(world, books, world.model.publisher, snapshot),
    hours: (count) => publishEvery(scene, HOUR, count),
    days: (count) => publishEvery(scene, DAY / 2n, count * 2),
    pay: async (to, usdt) => {
      const error = await world.send(world.model.payer, { name: 'pay', args: [newId(), to, usdt * USDT] })
      const owed = books.owed.get(to)
      if (error === undefined && owed !== undefined) books.owed.set(to, owed - usdt * USDT)
      return error
    },
    openExits: async () => {
      world.pass(6n * DAY)
      await done(world.send(people.stranger, { name: 'callExits', args: [] }))
      world.pass(DAY)
      await done(world.send(people.stranger, { name: 'openExits', args: [] }))
    },
    exit: (wallet) => world.send(people.stranger, { name: 'exit', args: proofOf(books, wallet) }),
    received: async (wallet, micro) => assert.equal(await world.balanceOf(wallet), micro * ground.setup.unit),
  }
  return scene
}

async function publishEvery({ world, publish }: Scene, seconds: bigint, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    world.pass(seconds)
    await done(publish())
  }
}

/** A wallet's leaf and proof in the tree of the last root. */
export function proofOf(books: Books, wallet: Hex): Extract<Call, { name: 'exit' }>['args'] {
  const tree = books.lastTree()
  const at = tree?.leaves.findIndex((leaf) => leaf.wallet === wallet) ?? -1
  const [leaf, siblings] = [tree?.leaves[at], tree?.proofs[at]]
  if (!leaf || !siblings) throw new Error(`${wallet} is not in the last tree`)
  return [leaf, siblings]
}
