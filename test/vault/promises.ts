import type { DecodeEventLogReturnType, Hex } from 'viem'
import type { vaultAbi } from '../../src/server/chain/vault-abi.ts'
import { DAY, HOUR, type Setup } from './model.ts'
import type { Call } from './rules.ts'

/**
 * The vault's promises, checked against what really happened: the contract's events and the token's balance. Nothing
 * here uses the model.
 */
export type VaultEvent = DecodeEventLogReturnType<typeof vaultAbi>
type Args<Name extends VaultEvent['eventName']> = Extract<VaultEvent, { eventName: Name }>['args']

type Note = { now: bigint; call: Call; events: VaultEvent[]; balance: bigint }
/** `needEqualShares` holds once everybody has collected what is due. */
export type History = {
  note(note: Note): void
  noteDeposit(units: bigint): void
  noteFee(): void
  needEqualShares(): void
}

type Published = Args<'Published'> & { at: bigint }
/** `isInTime`: the first exit was in the first year. */
type Collected = { claim: bigint; units: bigint; isInTime: boolean }
type Past = {
  setup: Setup
  balance: bigint
  /** Since exits opened. */
  deposits: bigint
  balanceAtOpening: bigint
  isTokenExact: boolean
  usedIds: Set<Hex>
  paid: { at: bigint; to: Hex; amount: bigint }[]
  left: { at: bigint; amount: bigint }[]
  roots: Published[]
  keys: Hex[]
  proposed: Map<number, Args<'Proposed'> & { at: bigint }>
  limits: { dailyMax: bigint; singleMax: bigint }
  isPaused: boolean
  calledAt: bigint | undefined
  openedAt: bigint | undefined
  exits: Map<Hex, Collected>
}

const CHANGE_LIMITS = 4
const CHANGE_SURPLUS = 5
const YEAR = 365n * DAY
const ZERO = /^0x0{40}$/

export function createHistory(setup: Setup): History {
  const past: Past = {
    setup,
    balance: 0n,
    deposits: 0n,
    balanceAtOpening: 0n,
    isTokenExact: true,
    usedIds: new Set(),
    paid: [],
    left: [],
    roots: [],
    keys: [setup.payer, setup.publisher, setup.guardian, setup.owner],
    proposed: new Map(),
    limits: { dailyMax: setup.dailyMax, singleMax: setup.singleMax },
    isPaused: false,
    calledAt: undefined,
    openedAt: undefined,
    exits: new Map(),
  }
  return {
    note: (note) => {
      needReasonToFall(past, note)
      for (const event of note.events) noteEvent(past, note, event)
      if (note.call.name === 'takeRest') noteRest(past, note)
      past.balance = note.balance
    },
    noteDeposit: (units) => {
      past.balance += units
      past.deposits += units
    },
    noteFee: () => {
      past.isTokenExact = false
    },
    needEqualShares: () => {
      if (past.isTokenExact) for (const wallet of past.exits.keys()) needEqualShare(past, wallet)
    },
  }
}

export class BrokenPromise extends Error {}

function promise(holds: boolean, text: string): void {
  if (!holds) throw new BrokenPromise(`broken promise: ${text}`)
}

function noteEvent(past: Past, note: Note, event: VaultEvent): void {
  if (event.eventName === 'Paid') notePaid(past, note, event.args)
  else if (event.eventName === 'Voided') noteId(past, event.args.id)
  else if (event.eventName === 'Published') notePublished(past, note, event.args)
  else if (event.eventName === 'Struck') noteStruck(past, note, event.args)
  else if (event.eventName === 'Paused') past.isPaused = true
  else if (event.eventName === 'Unpaused') past.isPaused = false
  else if (event.eventName === 'ExitsCalled') noteCalled(past, note)
  else if (event.eventName === 'ExitsOpened') noteOpened(past, note)
  else if (event.eventName === 'Exited') noteExited(past, note, event.args)
  else if (event.eventName === 'Proposed') noteProposed(past, note, event.args)
  else if (event.eventName === 'Accepted') noteAccepted(past, note, event.args)
  else if (event.eventName === 'Cancelled') past.proposed.delete(event.args.change)
}

function needReasonToFall(past: Past, { balance, events, call }: Note): void {
  const isReason = ({ eventName, args }: VaultEvent) =>
    eventName === 'Paid' || eventName === 'Exited' || (eventName === 'Accepted' && args.change === CHANGE_SURPLUS)
  const hasReason = events.some(isReason) || call.name === 'takeRest'
  promise(balance >= past.balance || hasReason, 'money leaves only by payout, surplus or exit')
}

function noteId(past: Past, id: Hex): void {
  promise(!past.usedIds.has(id), 'an id is paid or voided at most once')
  past.usedIds.add(id)
}

function notePaid(past: Past, note: Note, { id, to, amount }: Args<'Paid'>): void {
  noteId(past, id)
  promise(amount <= past.limits.singleMax, 'a payout is at most the single maximum')
  noteLeft(past, note, amount)
  past.paid.push({ at: note.now, to: lower(to), amount })
}

/** Promises 2 and 3: what left in any 24 hours, counted to the second. */
function noteLeft(past: Past, { now, balance }: Note, amount: bigint): void {
  const { setup, limits } = past
  const root = past.roots.at(-1)
  promise(past.openedAt === undefined && !past.isPaused, 'nothing leaves while paused or after exits open')
  promise(root !== undefined && now - root.takenAt <= DAY, 'nothing leaves if the root is more than 24 hours old')
  promise(past.balance - balance === amount * setup.unit, 'exactly the amount leaves')
  past.left.push({ at: now, amount })
  const inDay = sumOf(past.left.filter(({ at }) => now - at <= DAY).map((each) => each.amount))
  promise(inDay <= limits.dailyMax, 'at most the daily limit leaves in any 24 hours')
  const heldBefore = balance / setup.unit + inDay
  const total = root?.total ?? 0n
  const isFifth = inDay * 5n <= total && inDay * 5n <= heldBefore
  promise(isFifth || inDay <= setup.floor, 'at most a fifth leaves in any 24 hours')
}

/** Promise 6: a root is accepted only if the vault holds its total, apart from payouts that are not booked yet. */
function notePublished(past: Past, { now, balance }: Note, root: Args<'Published'>): void {
  const last = past.roots.at(-1)
  const notBooked = sumOf(past.paid.map(({ amount }) => amount)) - root.paidAt
  const recent = sumOf(past.left.filter(({ at }) => now - at < 25n * HOUR).map(({ amount }) => amount))
  promise(past.openedAt === undefined && !past.isPaused, 'no root while paused or after exits open')
  promise(notBooked >= 0n && notBooked <= recent, 'the books are at most 25 hours behind')
  promise(balance / past.setup.unit >= root.total - notBooked, 'a shortage is refused')
  promise(root.takenAt <= now && now - root.takenAt <= DAY, 'a snapshot is at most 24 hours old')
  promise(!last || (root.takenAt > last.takenAt && root.epoch > last.epoch), 'a snapshot is newer than the last')
  promise(!last || root.epoch - last.epoch <= 100_000n, 'epochs do not run out')
  past.roots.push({ ...root, at: now })
  past.calledAt = undefined
}

function noteStruck(past: Past, { now }: Note, { epoch, last }: Args<'Struck'>): void {
  const at = past.roots.findIndex((root) => root.epoch === epoch)
  promise(at >= 0 && now - (past.roots[at]?.at ?? 0n) <= 2n * DAY, 'only a root of the last 48 hours is struck')
  past.roots.splice(at)
  promise((past.roots.at(-1)?.epoch ?? 0n) === last, 'the root before a struck one is the last again')
}

/** Promise 5: silence, notice, exits. */
function noteCalled(past: Past, { now }: Note): void {
  const root = past.roots.at(-1)
  promise(root !== undefined && now - root.takenAt >= 6n * DAY, 'notice needs six days without a root')
  past.calledAt = now
}

function noteOpened(past: Past, { now, balance }: Note): void {
  const isDue = past.calledAt !== undefined && now - past.calledAt >= DAY
  promise(isDue && past.openedAt === undefined, 'exits open 24 hours after a notice, once')
  Object.assign(past, { openedAt: now, deposits: 0n, balanceAtOpening: balance })
}

function noteExited(past: Past, { now, balance, call }: Note, { claim, units, ...event }: Args<'Exited'>): void {
  const wallet = lower(event.wallet)
  promise(past.openedAt !== undefined, 'no exit before exits open')
  if (call.name !== 'exit') throw new BrokenPromise('broken promise: only exit pays exits')
  const [leaf] = call.args
  const paid = sumOf(past.paid.filter(({ to }) => to === wallet).map(({ amount }) => amount))
  const rest = sumOf(leaf.balances) - (paid > leaf.paid ? paid - leaf.paid : 0n)
  const owed = rest > 0n ? rest : 0n
  promise(claim <= owed, 'a payout is not paid again by an exit')
  const known = past.exits.get(wallet)
  const isInTime = known?.isInTime ?? now - (past.openedAt ?? 0n) < YEAR
  promise(claim === owed || !isInTime, 'a leaf proven in the first year counts in full')
  const moved = past.balance - balance
  const before = known?.units ?? 0n
  past.exits.set(wallet, { claim, units: before + moved, isInTime })
  const all = sumOf([...past.exits.values()].map((exit) => exit.units))
  promise(all <= past.balanceAtOpening + past.deposits, 'exits pay at most what the vault held')
  if (!past.isTokenExact) return
  promise(moved === units, 'the event tells what left')
  promise(before + moved <= claim * past.setup.unit, 'no claim is paid twice')
  needEqualShare(past, wallet)
}

/** The share can only rise, so whoever exits last has the highest share so far. One unit is lost by rounding. */
function needEqualShare(past: Past, wallet: Hex): void {
  const { claim, units } = past.exits.get(wallet) ?? { claim: 0n, units: 0n }
  const isLowest = [...past.exits.values()].some((other) => (units + 1n) * other.claim < other.units * claim)
  promise(claim === 0n || !isLowest, 'everybody gets the same share, and it can only rise')
}

/** Limits fall at once. */
function noteProposed(past: Past, { now }: Note, proposed: Args<'Proposed'>): void {
  past.proposed.set(proposed.change, { ...proposed, at: now })
  const { dailyMax, singleMax } = past.limits
  if (proposed.change === CHANGE_LIMITS)
    past.limits = { dailyMax: least(dailyMax, proposed.micro), singleMax: least(singleMax, proposed.singleMax) }
}

function noteAccepted(past: Past, note: Note, { change, to, micro, singleMax }: Args<'Accepted'>): void {
  const proposal = past.proposed.get(change)
  const age = note.now - (proposal?.at ?? 0n)
  const isSame = proposal?.to === to && proposal.micro === micro && proposal.singleMax === singleMax
  promise(isSame && age >= 2n * DAY && age <= 9n * DAY, 'a change takes 48 hours to 9 days')
  past.proposed.delete(change)
  if (change === CHANGE_LIMITS) past.limits = { dailyMax: micro, singleMax }
  else if (change === CHANGE_SURPLUS) noteSurplus(past, note, micro)
  else noteKey(past, change, lower(to))
}

function noteKey(past: Past, change: number, next: Hex): void {
  past.keys[change] = next
  promise(new Set(past.keys).size === 4 && !ZERO.test(next), 'the four keys are different')
}

/** Promise 4. */
function noteSurplus(past: Past, note: Note, amount: bigint): void {
  promise(note.balance >= (past.roots.at(-1)?.total ?? 0n) * past.setup.unit, 'surplus leaves the last total')
  noteLeft(past, note, amount)
}

function noteRest(past: Past, { now }: Note): void {
  const isPaid = [...past.exits.values()].every(({ claim, units }) => units >= claim * past.setup.unit)
  promise(past.openedAt !== undefined && now - past.openedAt >= YEAR, 'the rest stays for a year')
  promise(isPaid || !past.isTokenExact, 'proven claims are paid before the rest is taken')
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** Decoded addresses have capital letters as a checksum. */
const lower = (address: Hex) => address.toLowerCase() as Hex

const sumOf = (values: Iterable<bigint>) => [...values].reduce((sum, value) => sum + value, 0n)
