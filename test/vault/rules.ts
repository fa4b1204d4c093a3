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
  most,
  paidTotal,
  provenSums,
  ZERO,
} from './model.ts'
import { isProofOf, type Leaf, type Sibling } from './tree.ts'

/** Each call of the vault as a rule of the model: it throws the error that the contract must revert with. */
const CHAIN_ID = 1n
const ZERO_HASH = `0x${'0'.repeat(64)}` as const

class Refusal extends Error {}

function need(condition: boolean, error: string): void {
  if (!condition) throw new Refusal(error)
}

/** All needs come before the first change, so a refused call changes nothing. */
const rules = {
  pay(m: Model, from: Hex, id: Hex, to: Hex, micro: bigint) {
    need(from === m.payer, 'NotAllowed')
    need(micro <= m.singleMax, 'OverLimit')
    need(!m.ids.has(id), 'IdUsed')
    leave(m, to, micro)
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
    need(!m.paused, 'EnforcedPause')
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
    need(at >= 0, 'BadRoot')
    need(m.now - (m.line[at]?.publishedAt ?? 0n) <= 2n * DAY, 'TooLate')
    m.line.splice(at)
  },
  pause(m: Model, from: Hex) {
    need(from === m.guardian, 'NotAllowed')
    need(!m.paused, 'EnforcedPause')
    m.paused = true
  },
  unpause(m: Model, from: Hex) {
    need(from === m.guardian || from === m.owner, 'NotAllowed')
    need(m.openedAt === 0n, 'TooLate')
    need(m.paused, 'ExpectedPause')
    m.paused = false
  },
  callExits(m: Model, _from: Hex) {
    const root = lastRoot(m)
    need(root !== undefined && m.now >= root.takenAt + 6n * DAY, 'TooEarly')
    need(m.calledAt === 0n, 'TooLate')
    m.calledAt = m.now
  },
  openExits(m: Model, _from: Hex) {
    need(m.calledAt !== 0n && m.now >= m.calledAt + DAY, 'TooEarly')
    need(m.openedAt === 0n, 'TooLate')
    m.openedAt = m.now
    m.paused = true
  },
  exit(m: Model, _from: Hex, leaf: Leaf, siblings: Sibling[]) {
    need(m.openedAt !== 0n, 'TooEarly')
    need(leaf.wallet !== ZERO && leaf.wallet !== m.vault, 'BadAddress')
    need(isInLastRoot(m, leaf, siblings), 'BadProof')
    const known = m.exits.get(leaf.wallet)
    const exit = known ?? newExit(m, leaf)
    m.exits.set(leaf.wallet, exit)
    try {
      exit.collected += takeUnits(m, dueUnits(m, exit))
    } catch (error) {
      if (!known) m.exits.delete(leaf.wallet)
      throw error
    }
  },
  takeRest(m: Model, from: Hex) {
    need(from === m.owner, 'NotAllowed')
    need(m.openedAt !== 0n && isYearOver(m), 'TooEarly')
    need(exitedUnits(m) >= claims(m) * m.unit, 'TooEarly')
    takeUnits(m, m.heldUnits)
  },
  propose(m: Model, from: Hex, change: Change, to: Hex, micro: bigint, singleMax: bigint) {
    need(from === m.owner, 'NotAllowed')
    m.proposals.set(change, { at: m.now, to, micro, singleMax })
    if (change !== 'Limits') return
    m.dailyMax = least(m.dailyMax, micro)
    m.singleMax = least(m.singleMax, singleMax)
  },
  cancel(m: Model, from: Hex, change: Change) {
    need(from === m.owner || (from === m.guardian && change !== 'Guardian'), 'NotAllowed')
    m.proposals.delete(change)
  },
  accept(m: Model, from: Hex, change: Change) {
    const { at, to, ...limits } = m.proposals.get(change) ?? { at: 0n, to: ZERO, micro: 0n, singleMax: 0n }
    need(from === (change === 'Owner' ? to : m.owner), 'NotAllowed')
    need(m.now >= at + 48n * HOUR, 'TooEarly')
    need(m.now <= at + 9n * DAY, 'TooLate')
    if (change === 'Limits') Object.assign(m, { dailyMax: limits.micro, singleMax: limits.singleMax })
    else if (change === 'Surplus') takeSurplus(m, to, limits.micro)
    else setKey(m, change, to)
    m.proposals.delete(change)
  },
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

function leave(m: Model, to: Hex, micro: bigint): void {
  need(!m.paused, 'EnforcedPause')
  need(to !== ZERO && to !== m.vault && to !== m.token, 'BadAddress')
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
  const claim = most(0n, sum - most(0n, paidSince))
  return { claim: isYearOver(m) ? least(claim, leftForLate(m)) : claim, sum, collected: 0n }
}

/** After a year nothing is kept back for a leaf that is not proven. It gets what the claims before it leave. */
const leftForLate = (m: Model) => most(0n, held(m) + exitedUnits(m) / m.unit - claims(m))

const isYearOver = (m: Model) => m.now >= m.openedAt + 365n * DAY

function dueUnits(m: Model, exit: { claim: bigint; collected: bigint }): bigint {
  const owed = claims(m) + (isYearOver(m) ? 0n : (lastRoot(m)?.total ?? 0n) - provenSums(m))
  const pool = m.heldUnits + exitedUnits(m)
  const full = exit.claim * m.unit
  const share = pool >= owed * m.unit ? full : (exit.claim * pool) / owed
  return least(most(0n, share - exit.collected), m.heldUnits)
}

function takeSurplus(m: Model, to: Hex, micro: bigint): void {
  need(held(m) - micro >= (lastRoot(m)?.total ?? 0n), 'Shortage')
  leave(m, to, micro)
}

function setKey(m: Model, change: KeyChange, next: Hex): void {
  need(next !== ZERO && ![m.payer, m.publisher, m.guardian, m.owner].includes(next), 'BadAddress')
  m[roles[change]] = next
}

type KeyChange = Exclude<Change, 'Limits' | 'Surplus'>
const roles = { Payer: 'payer', Publisher: 'publisher', Guardian: 'guardian', Owner: 'owner' } as const
