import type { Hex } from 'viem'
import {
  type Change,
  claims,
  DAY,
  exitedUnits,
  HOUR,
  held,
  lastRoot,
  least,
  leftInWindow,
  limit,
  type Model,
  paidTotal,
  provenSums,
  settled,
} from './model.ts'
import { isProofOf, type Leaf, type Sibling } from './tree.ts'

/** Each call of the vault as a rule of the model: it throws the error that the contract must revert with. */
const CHAIN_ID = 1n
const ZERO = `0x${'0'.repeat(40)}` as const
const ZERO_HASH = `0x${'0'.repeat(64)}` as const

class Refusal extends Error {}

function need(condition: boolean, error: string): void {
  if (!condition) throw new Refusal(error)
}

/** All needs come before the first change, so a refused call changes nothing. */
const rules = {
  pay(m: Model, from: Hex, id: Hex, to: Hex, micro: bigint) {
    need(from === m.payer, 'NotAllowed')
    needRunning(m)
    need(!m.ids.has(id), 'IdUsed')
    needReceiver(m, to)
    need(micro <= m.singleMax, 'OverSingleMax')
    leave(m, micro)
    m.ids.set(id, 'Paid')
    m.paid.set(to, (m.paid.get(to) ?? 0n) + micro)
  },
  void(m: Model, from: Hex, id: Hex) {
    need(from === m.payer, 'NotAllowed')
    need(!m.ids.has(id), 'IdUsed')
    m.ids.set(id, 'Voided')
  },
  publish(m: Model, from: Hex, epoch: bigint, hash: Hex, total: bigint, paidAt: bigint, takenAt: bigint) {
    need(from === m.publisher, 'NotAllowed')
    needRunning(m)
    need(m.epochMax < epoch && epoch <= m.epochMax + 1000n, 'BadEpoch')
    need(hash !== ZERO_HASH && !m.usedRoots.has(hash), 'BadRoot')
    need((lastRoot(m)?.takenAt ?? 0n) < takenAt && takenAt <= m.now && m.now <= takenAt + DAY, 'BadTime')
    const notBooked = paidTotal(m) - paidAt
    need(notBooked >= 0n && notBooked <= leftInWindow(m), 'BooksTooOld')
    need(held(m) >= total - notBooked, 'Shortage')
    m.usedRoots.add(hash)
    m.line.push({ epoch, hash, total, takenAt, publishedAt: m.now })
    m.epochMax = epoch
    m.calledAt = 0n
  },
  anchor(m: Model, from: Hex, _kind: Hex, _value: Hex) {
    need(from === m.publisher, 'NotAllowed')
  },
  strike(m: Model, from: Hex, epoch: bigint) {
    need(from === m.guardian, 'NotAllowed')
    const at = m.line.findIndex((root) => root.epoch === epoch)
    need(at >= 0, 'NoRoot')
    need(m.now - (m.line[at]?.publishedAt ?? 0n) <= 2n * DAY, 'TooLate')
    m.line.splice(at)
  },
  pause(m: Model, from: Hex) {
    need(from === m.guardian, 'NotAllowed')
    m.paused = true
  },
  unpause(m: Model, from: Hex) {
    need(from === m.guardian || from === m.owner, 'NotAllowed')
    m.paused = false
  },
  callExits(m: Model, _from: Hex) {
    need(m.openedAt === 0n, 'ExitsAreOpen')
    const root = lastRoot(m)
    need(root !== undefined, 'NoRoot')
    need(m.calledAt === 0n, 'AlreadyCalled')
    need(m.now >= (root?.takenAt ?? 0n) + 6n * DAY, 'TooEarly')
    m.calledAt = m.now
  },
  openExits(m: Model, _from: Hex) {
    need(m.openedAt === 0n, 'ExitsAreOpen')
    need(m.calledAt !== 0n, 'NotCalled')
    need(m.now >= m.calledAt + DAY, 'TooEarly')
    m.openedAt = m.now
  },
  exit(m: Model, _from: Hex, leaf: Leaf, siblings: Sibling[]) {
    need(m.openedAt !== 0n, 'ExitsAreClosed')
    need(leaf.wallet !== ZERO && leaf.wallet !== m.vault, 'BadAddress')
    need(isInLastRoot(m, leaf, siblings), 'BadProof')
    const known = m.exits.get(leaf.wallet)
    const exit = known ?? newExit(m, leaf)
    m.exits.set(leaf.wallet, exit)
    try {
      const units = dueUnits(m, exit)
      need(!known || units > 0n, 'NothingDue')
      exit.collected += units > 0n ? takeUnits(m, units) : 0n
    } catch (error) {
      if (!known) m.exits.delete(leaf.wallet)
      throw error
    }
  },
  takeRest(m: Model, from: Hex) {
    need(from === m.owner, 'NotAllowed')
    need(m.openedAt !== 0n, 'ExitsAreClosed')
    need(m.now >= m.openedAt + 365n * DAY, 'TooEarly')
    need(settled(m) === claims(m), 'ClaimsOpen')
    takeUnits(m, m.heldUnits)
  },
  proposePayer: (m: Model, from: Hex, next: Hex) => propose(m, from, 'Payer', BigInt(next)),
  proposePublisher: (m: Model, from: Hex, next: Hex) => propose(m, from, 'Publisher', BigInt(next)),
  proposeGuardian: (m: Model, from: Hex, next: Hex) => propose(m, from, 'Guardian', BigInt(next)),
  proposeOwner: (m: Model, from: Hex, next: Hex) => propose(m, from, 'Owner', BigInt(next)),
  proposeLimits(m: Model, from: Hex, dailyMax: bigint, singleMax: bigint) {
    propose(m, from, 'Limits', (dailyMax << 64n) + singleMax)
    m.dailyMax = least(m.dailyMax, dailyMax)
    m.singleMax = least(m.singleMax, singleMax)
  },
  proposeSurplus(m: Model, from: Hex, to: Hex, micro: bigint) {
    need(from === m.owner, 'NotAllowed')
    needReceiver(m, to)
    propose(m, from, 'Surplus', (BigInt(to) << 64n) + micro)
  },
  acceptPayer: (m: Model, from: Hex) => acceptRole(m, from, 'Payer', 'payer'),
  acceptPublisher: (m: Model, from: Hex) => acceptRole(m, from, 'Publisher', 'publisher'),
  acceptGuardian: (m: Model, from: Hex) => acceptRole(m, from, 'Guardian', 'guardian'),
  acceptOwner(m: Model, from: Hex) {
    need(BigInt(from) === m.proposals.get('Owner')?.value, 'NotAllowed')
    m.owner = addressIn(accepted(m, 'Owner'))
  },
  acceptLimits(m: Model, from: Hex) {
    need(from === m.owner, 'NotAllowed')
    const value = accepted(m, 'Limits')
    m.dailyMax = value >> 64n
    m.singleMax = BigInt.asUintN(64, value)
  },
  acceptSurplus(m: Model, from: Hex) {
    need(from === m.owner, 'NotAllowed')
    needRunning(m)
    const micro = BigInt.asUintN(64, readyProposal(m, 'Surplus'))
    need(held(m) - micro >= (lastRoot(m)?.total ?? 0n), 'Shortage')
    leave(m, micro)
    m.proposals.delete('Surplus')
  },
  cancelPayer: (m: Model, from: Hex) => cancel(m, from, 'Payer'),
  cancelPublisher: (m: Model, from: Hex) => cancel(m, from, 'Publisher'),
  cancelGuardian: (m: Model, from: Hex) => cancel(m, from, 'Guardian'),
  cancelOwner: (m: Model, from: Hex) => cancel(m, from, 'Owner'),
  cancelLimits: (m: Model, from: Hex) => cancel(m, from, 'Limits'),
  cancelSurplus: (m: Model, from: Hex) => cancel(m, from, 'Surplus'),
}

type CallName = keyof typeof rules
type ArgsOf<Rule> = Rule extends (m: Model, from: Hex, ...args: infer Args) => void ? Args : never
export type Call = { [Name in CallName]: { name: Name; args: ArgsOf<(typeof rules)[Name]> } }[CallName]

/** The error with which the vault must refuse this call; undefined if it must accept it. The model then changes too. */
export function step(m: Model, from: Hex, { name, args }: Call): string | undefined {
  try {
    const rule = rules[name] as (m: Model, from: Hex, ...args: unknown[]) => void
    rule(m, from, ...args)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

export function isInLastRoot(m: Model, leaf: Leaf, siblings: Sibling[]): boolean {
  const root = lastRoot(m)
  if (!root) return false
  const place = { chainId: CHAIN_ID, vault: Buffer.from(m.vault.slice(2), 'hex'), epoch: root.epoch }
  return isProofOf(place, root, leaf, siblings)
}

function needRunning(m: Model): void {
  need(m.openedAt === 0n, 'ExitsAreOpen')
  need(!m.paused, 'IsPaused')
}

const needReceiver = (m: Model, to: Hex) => need(to !== ZERO && to !== m.vault && to !== m.token, 'BadAddress')

function leave(m: Model, micro: bigint): void {
  need(m.now <= (lastRoot(m)?.takenAt ?? 0n) + DAY, 'RootTooOld')
  need(leftInWindow(m) + micro <= limit(m), 'OverLimit')
  const units = micro * m.unit
  need(m.manner !== 'FeeFromSender' || units < 100n || m.heldUnits < units + units / 100n, 'WrongTransfer')
  takeUnits(m, units)
  m.left.push({ at: m.now, micro })
}

/** Moves units out of the vault as the token would. Returns what the vault lost. */
function takeUnits(m: Model, units: bigint): bigint {
  need(m.manner !== 'ReturnsFalse', 'SafeERC20FailedOperation')
  const lost = m.manner === 'FeeFromSender' ? units + units / 100n : units
  need(lost <= m.heldUnits, 'Panic')
  m.heldUnits -= lost
  return lost
}

function newExit(m: Model, leaf: Leaf) {
  const sum = leaf.balances.reduce((total, balance) => total + balance, 0n)
  const paidSince = (m.paid.get(leaf.wallet) ?? 0n) - leaf.paid
  const claim = sum - (paidSince > 0n ? paidSince : 0n)
  return { claim: claim > 0n ? claim : 0n, sum, collected: 0n }
}

function dueUnits(m: Model, exit: { claim: bigint; collected: bigint }): bigint {
  const isYearOver = m.now >= m.openedAt + 365n * DAY
  const owed = claims(m) + (isYearOver ? 0n : (lastRoot(m)?.total ?? 0n) - provenSums(m))
  const pool = m.heldUnits + exitedUnits(m)
  const full = exit.claim * m.unit
  const share = pool >= owed * m.unit ? full : (exit.claim * pool) / owed
  return least(share - exit.collected, m.heldUnits)
}

function propose(m: Model, from: Hex, change: Change, value: bigint): void {
  need(from === m.owner, 'NotAllowed')
  m.proposals.set(change, { at: m.now, value })
}

function readyProposal(m: Model, change: Change): bigint {
  const { at, value } = m.proposals.get(change) ?? { at: 0n, value: 0n }
  need(at !== 0n, 'NoProposal')
  need(m.now >= at + 48n * HOUR, 'TooEarly')
  need(m.now <= at + 9n * DAY, 'TooLate')
  return value
}

function accepted(m: Model, change: Change): bigint {
  const value = readyProposal(m, change)
  m.proposals.delete(change)
  return value
}

const addressIn = (value: bigint): Hex => `0x${value.toString(16).padStart(40, '0')}`

function acceptRole(m: Model, from: Hex, change: Change, role: 'payer' | 'publisher' | 'guardian'): void {
  need(from === m.owner, 'NotAllowed')
  m[role] = addressIn(accepted(m, change))
}

function cancel(m: Model, from: Hex, change: Change): void {
  need(from === m.owner || (from === m.guardian && change !== 'Guardian'), 'NotAllowed')
  need(m.proposals.has(change), 'NoProposal')
  m.proposals.delete(change)
}
