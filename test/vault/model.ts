import type { Hex } from 'viem'

/** The vault's state in the simplest form: lists and sums instead of slots and counters. rules.ts has the calls. */
export const HOUR = 3_600n
export const DAY = 24n * HOUR
export const ZERO = `0x${'0'.repeat(40)}` as const

/** In the order of the contract's enum. The first four replace a key. */
export const changes = ['Payer', 'Publisher', 'Guardian', 'Owner', 'Limits', 'Surplus'] as const
export type Change = (typeof changes)[number]
export const manners = [
  'Plain',
  'ReturnsFalse',
  'ReturnsNothing',
  'FeeFromReceiver',
  'FeeFromSender',
  'CallsBack',
] as const
export type Manner = (typeof manners)[number]

type Root = { epoch: bigint; hash: Hex; total: bigint; takenAt: bigint; publishedAt: bigint }
type Exit = { claim: bigint; sum: bigint; collected: bigint }

/** `to` is the new key, or the receiver of the surplus. `micro` is the surplus, or the limit of 24 hours. */
type Proposal = { at: bigint; to: Hex; micro: bigint; singleMax: bigint }

export type Setup = {
  vault: Hex
  token: Hex
  unit: bigint
  floor: bigint
  dailyMax: bigint
  singleMax: bigint
  owner: Hex
  guardian: Hex
  publisher: Hex
  payer: Hex
}

export type Model = Setup & {
  now: bigint
  manner: Manner
  heldUnits: bigint
  paused: boolean
  paid: Map<Hex, bigint>
  ids: Map<Hex, 'Paid' | 'Voided'>
  left: { at: bigint; micro: bigint }[]
  /** The roots that were not struck, oldest first. */
  line: Root[]
  epochMax: bigint
  usedRoots: Set<Hex>
  calledAt: bigint
  openedAt: bigint
  exits: Map<Hex, Exit>
  proposals: Map<Change, Proposal>
}

export const createModel = (setup: Setup, now: bigint): Model => ({
  ...setup,
  now,
  manner: 'Plain',
  heldUnits: 0n,
  paused: false,
  paid: new Map(),
  ids: new Map(),
  left: [],
  line: [],
  epochMax: 0n,
  usedRoots: new Set(),
  calledAt: 0n,
  openedAt: 0n,
  exits: new Map(),
  proposals: new Map(),
})

const sumOf = (values: Iterable<bigint>) => [...values].reduce((sum, value) => sum + value, 0n)
/** Math.min and Math.max do not take bigints. */
export const least = (first: bigint, ...others: bigint[]) =>
  others.reduce((found, value) => (value - found < 0n ? value : found), first)
export const most = (first: bigint, ...others: bigint[]) =>
  others.reduce((found, value) => (value - found > 0n ? value : found), first)

export const lastRoot = (m: Model) => m.line.at(-1)
export const paidTotal = (m: Model) => sumOf(m.paid.values())
export const held = (m: Model) => m.heldUnits / m.unit
export const claims = (m: Model) => sumOf([...m.exits.values()].map(({ claim }) => claim))
export const provenSums = (m: Model) => sumOf([...m.exits.values()].map(({ sum }) => sum))
export const exitedUnits = (m: Model) => sumOf([...m.exits.values()].map(({ collected }) => collected))
/** What left in this hour and the 24 before it. */
export const leftInWindow = (m: Model) =>
  sumOf(m.left.filter(({ at }) => at / HOUR + 24n >= m.now / HOUR).map(({ micro }) => micro))

export function limit(m: Model): bigint {
  const fifth = least(lastRoot(m)?.total ?? 0n, held(m) + leftInWindow(m)) / 5n
  return least(m.dailyMax, most(fifth, m.floor))
}
