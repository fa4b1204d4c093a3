import { beforeEach, expect, it, vi } from 'vitest'
import { chainOf, knownSeed, previousSeed, rememberSeed } from './known-seed.ts'

const seedOf = (round: number) => round.toString(16).padStart(64, '0')
const first = { anchor: 'aa'.repeat(32), first_round: 1, length: 1_000 }
const second = { anchor: 'bb'.repeat(32), first_round: 1_001, length: 1_000 }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})

it('finds the chain of a round, and none for a round whose chain is not published yet', () => {
  expect([1, 1_000, 1_001, 2_000].map((round) => chainOf([first, second], round))).toEqual([
    first,
    first,
    second,
    second,
  ])
  expect(chainOf([first, second], 2_001)).toBeUndefined()
  expect(chainOf([], 1)).toBeUndefined()
})

it('prefers a seed kept from an earlier visit to the anchor', () => {
  expect(knownSeed(700, first, 1_000)).toEqual({ number: 0, seed: first.anchor })
  rememberSeed({ number: 500, seed: seedOf(500) })
  expect(knownSeed(700, first, 1_000)).toEqual({ number: 500, seed: seedOf(500) })
  expect(knownSeed(500, first, 1_000)).toEqual({ number: 0, seed: first.anchor })
  expect(knownSeed(700, first, 100)).toBeUndefined()
})

it('starts the next chain at its anchor: it does not lead to the seeds before it', () => {
  rememberSeed({ number: 1_000, seed: seedOf(1_000) })
  expect(knownSeed(1_002, second, 1_000)).toEqual({ number: 1_000, seed: second.anchor })
  const rounds = [1_000, 1_001].map((number) => ({ number, seed: seedOf(number) }))
  expect(previousSeed(1_001, second, rounds)).toBeUndefined()
  expect(previousSeed(1_002, second, rounds)).toEqual({ number: 1_001, seed: seedOf(1_001) })
})
