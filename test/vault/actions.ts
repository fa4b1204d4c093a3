import { type Hex, numberToHex } from 'viem'
import { type Books, leafOf, publish, type Snapshot } from './books.ts'
import { changes, DAY, HOUR, held, leftInWindow, limit, manners, paidTotal, ZERO } from './model.ts'
import type { Call } from './rules.ts'
import { people, type World } from './world.ts'

/** What a random sequence needs to remember. */
export type Play = { world: World; books: Books; snapshots: Snapshot[]; ids: Hex[]; calls: number }

/** Two random numbers. An action chooses its details with them, so any list of intents is a valid sequence. */
export type Intent = { kind: number; a: number; b: number }
type Action = (play: Play, a: number, b: number) => Promise<unknown>

const USDT = 1_000_000n
const pick = <Item>(items: readonly Item[], number: number): Item => {
  const item = items[number % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

const everyone = [...Object.values(people).flat()]
const keys = [people.owner, people.guardian, people.publisher, people.payer, people.spareOne, people.spareTwo]

async function send(play: Play, from: Hex, call: Call): Promise<string | undefined> {
  play.calls++
  return play.world.send(from, call)
}

/** Mostly the key that may do it, now and then anybody. */
const by = (play: Play, role: 'owner' | 'guardian' | 'publisher' | 'payer', b: number) =>
  b % 11 === 0 ? pick(everyone, b) : play.world.model[role]

/** Times around every limit of the contract. */
function seconds({ world: { model } }: Play, a: number): bigint {
  const edge = HOUR - (model.now % HOUR)
  const short = [1n, 60n, 600n, HOUR, edge, edge - 1n, edge + 1n, 3n * HOUR, 12n * HOUR]
  const long = [DAY - 1n, DAY, DAY + 1n, 25n * HOUR, 2n * DAY, 2n * DAY + 1n, 6n * DAY, 9n * DAY, 9n * DAY + 1n]
  const rare = [30n * DAY, 365n * DAY]
  return a % 200 === 0 ? pick(rare, a / 200) : a % 10 === 0 ? pick(long, a / 10) : pick(short, a)
}

function amount({ world: { model } }: Play, a: number): bigint {
  const rest = limit(model) - leftInWindow(model)
  const left = rest > 0n ? rest : 0n
  const choices = [
    left,
    left,
    left + 1n,
    left / 2n,
    left / 3n,
    5n * USDT,
    1n,
    0n,
    model.singleMax,
    model.singleMax + 1n,
  ]
  return BigInt.asUintN(64, pick([...choices, held(model)], a))
}

const pass: Action = async (play, a) => play.world.pass(seconds(play, a))

const deposit: Action = async ({ world, books }, a, b) => {
  const micro = BigInt(1 + (a % 500)) * USDT
  await world.deposit(micro)
  // Sometimes the vault gets more than it owes, so that there is a surplus.
  if (b % 5 !== 0) books.credit(pick(people.users, b), micro)
}

const newId = (play: Play, b: number): Hex => {
  if (b % 7 === 0 && play.ids.length > 0) return pick(play.ids, b)
  const id = numberToHex(play.ids.length + 1, { size: 32 })
  play.ids.push(id)
  return id
}

/** A payout to a user is booked. One to somebody else, or above the balance, is a theft that no balance explains. */
const pay: Action = async (play, a, b) => {
  const { model } = play.world
  const others = [people.stranger, model.vault, model.token, ZERO]
  const to = b % 6 === 0 ? pick(others, a) : pick(people.users, b)
  const owed = play.books.owed.get(to) ?? 0n
  const wanted = amount(play, a)
  const micro = b % 4 === 0 || wanted < owed ? wanted : owed
  const error = await send(play, by(play, 'payer', b), { name: 'pay', args: [newId(play, b), to, micro] })
  if (error === undefined && owed > 0n) play.books.owed.set(to, owed > micro ? owed - micro : 0n)
}

const voidId: Action = (play, _a, b) => send(play, by(play, 'payer', b), { name: 'void', args: [newId(play, b)] })

const snapshot: Action = async (play) => {
  if (play.books.owed.size > 0) play.snapshots.push(play.books.snapshot())
}

const publishHonestly: Action = async (play, a, b) => {
  await snapshot(play, a, b)
  const chosen = b % 3 === 0 ? pick(play.snapshots, a) : play.snapshots.at(-1)
  play.calls++
  if (chosen) await publish(play.world, play.books, by(play, 'publisher', b), chosen)
}

/** A root that lies in one place. The first lie, a tree that gives half of the money to a thief, is accepted. */
const publishLying: Action = async (play, a, b) => {
  const { model } = play.world
  const honest = play.books.snapshot()
  const [isThief, isEpoch, isTotal, isPaidAt, isTakenAt, isRoot] = [0, 1, 2, 3, 4, 5].map((lie) => a % 6 === lie)
  const epoch = model.epochMax + (isEpoch ? pick([0n, 1000n, 1001n, 2n ** 63n], b) : 1n)
  const leaves = isThief ? [leafOf(people.stranger, held(model) / 2n, 0n, a)] : honest.leaves
  const tree = play.books.tree({ ...honest, leaves }, epoch)
  const totals = [0n, held(model), held(model) + 1n, tree.total + 1n, 2n ** 64n - 1n]
  const oldest = paidTotal(model) - leftInWindow(model)
  const paidAts = [0n, oldest, oldest - 1n, paidTotal(model) + 1n].map((micro) => (micro < 0n ? 0n : micro))
  const times = [model.now + 1n, model.now - DAY, model.now - DAY - 1n, 2n ** 64n - 1n]
  const roots = [...model.usedRoots, `0x${'0'.repeat(64)}` as const]
  await send(play, by(play, 'publisher', b), {
    name: 'publish',
    args: [
      epoch,
      isRoot ? pick(roots, b) : tree.root,
      isTotal ? pick(totals, b) : tree.total,
      isPaidAt ? pick(paidAts, b) : honest.paidAt,
      isTakenAt ? pick(times, b) : honest.takenAt,
    ],
  })
}

const strike: Action = (play, a, b) => {
  const { line, epochMax } = play.world.model
  const epochs = [...line.map(({ epoch }) => epoch), line.at(-1)?.epoch ?? 0n, epochMax, 0n, epochMax + 1n]
  return send(play, by(play, 'guardian', b), { name: 'strike', args: [pick(epochs.toReversed(), a)] })
}

const pause: Action = (play, _a, b) => send(play, by(play, 'guardian', b), { name: 'pause', args: [] })
const unpause: Action = (play, _a, b) => send(play, by(play, 'owner', b), { name: 'unpause', args: [] })
const anchor: Action = (play, a, b) =>
  send(play, by(play, 'publisher', b), {
    name: 'anchor',
    args: [numberToHex(a, { size: 32 }), numberToHex(b, { size: 32 })],
  })
const callExits: Action = (play, a) => send(play, pick(everyone, a), { name: 'callExits', args: [] })
const openExits: Action = (play, a) => send(play, pick(everyone, a), { name: 'openExits', args: [] })

/** The silence of promise 5, in one action: otherwise few sequences would reach the exits. */
const silence: Action = async (play, a, b) => {
  play.world.pass(pick([6n * DAY - 1n, 6n * DAY, 6n * DAY, 7n * DAY], a))
  await callExits(play, a, b)
  play.world.pass(pick([DAY - 1n, DAY, DAY, DAY, 2n * DAY], b))
  await openExits(play, a, b)
}

export const exit: Action = async (play, a, b) => {
  // Before exits open, one refusal in eight is enough.
  if (play.world.model.openedAt === 0n && b % 8 !== 0) return
  const trees = [...play.books.trees.values()]
  const tree = b % 9 === 0 && trees.length > 0 ? pick(trees, b) : play.books.lastTree()
  if (!tree) return
  const at = a % tree.leaves.length
  const [leaf, proof] = [pick(tree.leaves, at), tree.proofs[at] ?? []]
  const forged = { ...leaf, balances: [leaf.balances[0] + 1n, ...leaf.balances.slice(1)] as never }
  const lighter = proof.map((step) => ({ ...step, sum: step.sum / 2n }))
  const [proven, siblings] = b % 17 === 1 ? [forged, proof] : b % 17 === 2 ? [leaf, lighter] : [leaf, proof]
  if (b % 8 === 3) await play.world.check(proven, siblings)
  await send(play, pick(everyone, b), { name: 'exit', args: [proven, siblings] })
}

const takeRest: Action = (play, _a, b) => send(play, by(play, 'owner', b), { name: 'takeRest', args: [] })

const propose: Action = (play, a, b) => {
  const { dailyMax, singleMax, vault } = play.world.model
  const from = by(play, 'owner', b)
  const change = pick(changes, a)
  const factor = (value: bigint, n: number) => pick([value / 2n, value, value + 1n, value * 2n, 1_000n * USDT], n)
  if (change === 'Limits')
    return send(play, from, { name: 'propose', args: [change, ZERO, factor(dailyMax, b), factor(singleMax, a + b)] })
  if (change === 'Surplus') {
    const to = pick([people.stranger, people.owner, people.owner, vault], b)
    return send(play, from, { name: 'propose', args: [change, to, amount(play, b), 0n] })
  }
  return send(play, from, { name: 'propose', args: [change, pick([...keys, ZERO], b), 0n, 0n] })
}

const accept: Action = (play, a, b) => {
  const { proposals, owner } = play.world.model
  const change = proposals.size > 0 && b % 9 !== 0 ? pick([...proposals.keys()], a) : pick(changes, a)
  const next = keys.find((key) => key === proposals.get('Owner')?.to)
  const from = b % 11 === 0 ? pick(everyone, b) : change === 'Owner' ? (next ?? owner) : owner
  return send(play, from, { name: 'accept', args: [change] })
}

const cancel: Action = (play, a, b) => {
  const { proposals } = play.world.model
  const change = proposals.size > 0 ? pick([...proposals.keys()], a) : pick(changes, a)
  return send(play, by(play, b % 2 === 0 ? 'owner' : 'guardian', b), { name: 'cancel', args: [change] })
}

/** The owner takes some of what the vault holds above its total, or tries to take a little more. */
const surplus: Action = async (play, a, b) => {
  const { world } = play
  await world.deposit(pick([0n, 1n, 50n, 200n], a) * USDT)
  const above = held(world.model) - (world.model.line.at(-1)?.total ?? 0n)
  const micro = above > 0n ? pick([above, above + 1n, above / 2n, above / 10n], b) : USDT
  await send(play, world.model.owner, { name: 'propose', args: ['Surplus', people.stranger, micro, 0n] })
  await wait(play, a, b)
  await send(play, world.model.owner, { name: 'accept', args: ['Surplus'] })
}

/** A change that waits for its time, in one action: a root every day keeps it fresh. */
const wait: Action = async (play, a, b) => {
  for (let day = 0; day < 2; day++) {
    play.world.pass(DAY)
    await publishHonestly(play, a, 1)
  }
  await accept(play, a, b)
}

const setManner: Action = async ({ world }, a, b) => world.setManner(b % 2 === 0 ? 'Plain' : pick(manners, a))

const weights: [number, Action][] = [
  [12, pass],
  [5, deposit],
  [22, pay],
  [2, voidId],
  [3, snapshot],
  [12, publishHonestly],
  [4, publishLying],
  [3, strike],
  [1, pause],
  [4, unpause],
  [1, anchor],
  [2, callExits],
  [2, openExits],
  [1, silence],
  [14, exit],
  [1, takeRest],
  [5, propose],
  [4, accept],
  [2, cancel],
  [3, wait],
  [3, surplus],
  [1, setManner],
]
const table = weights.flatMap(([weight, action]) => Array.from({ length: weight }, () => action))

export const act = (play: Play, { kind, a, b }: Intent) => pick(table, kind)(play, a, b)
