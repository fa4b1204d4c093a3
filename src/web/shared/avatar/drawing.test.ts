import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawAddress, PLACES } from './drawing.ts'

const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

test('an address always looks the same, in any spelling, and its ring is at least half drawn', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      const drawing = drawAddress(address)
      expect(drawAddress(`0x${address.slice(2).toUpperCase()}`)).toEqual(drawing)
      const places = drawing.arcs.map(({ place }) => place)
      expect(new Set(places).size).toBe(places.length)
      expect(places.length).toBeGreaterThanOrEqual(PLACES / 2)
      expect(Math.max(...places)).toBeLessThan(PLACES)
    }),
  )
})

test('different addresses look different', () => {
  const looks = fc.sample(addresses, { numRuns: 500, seed: 1 }).map((address) => JSON.stringify(drawAddress(address)))
  expect(new Set(looks).size).toBe(500)
})

test('without an address the ring is whole and of one tone', () => {
  const { tone, arcs } = drawAddress('')
  expect(arcs).toHaveLength(PLACES)
  expect(new Set(arcs.map(({ arc }) => arc))).toEqual(new Set([tone.arc]))
})
