import fc from 'fast-check'
import type { z } from 'zod'
import { choicesOf } from '../../src/protocol/news-choices.ts'
import type { Route } from '../../src/protocol/route.ts'

export type Fields = Record<string, unknown>

const UUID = '01890a5d-ac96-774b-bcce-b302099a8057'
const ID_KINDS = ['user', 'order', 'entry', 'breathing', 'game', 'request', 'hold', 'snapshot', 'news']

/** Each field of the route table accepts at least one of these. */
const goodValues: unknown[] = [
  ...[
    1,
    '1',
    7,
    18,
    'DE',
    true,
    'wallet',
    'day',
    'in',
    'deposit',
    'open',
    'paid',
    'done',
    'stake',
    'activity',
    'other',
    'gpx',
  ],
  ...[
    'steps',
    'workout',
    'meal',
    'walk',
    'lunch',
    'box',
    'green',
    'slow',
    'anna_1',
    'ABCD2345',
    'rings',
    'streak',
    'quiz',
    'plan',
    'A'.repeat(22),
  ],
  ...['2026-01-01', '2.0', 'eth_chainId', [], ['water'], [6], [{ day: '2026-01-01', steps: 1, workout_minutes: 0 }]],
  ...[`0x${'1'.repeat(40)}`, `0x${'1'.repeat(64)}`, '1'.repeat(32)],
  ...ID_KINDS.map((kind) => `${kind}_${UUID}`),
  ...['show', 'deal', 'shoot', 'power', 'pause', 'end', `${UUID}.${'A'.repeat(43)}`],
  ...['ana@example.com', '123456', 'https://fcm.googleapis.com/x', 'A'.repeat(87), { from: '22:00', until: '07:00' }],
  choicesOf(),
  { part: 'profile', after: [] },
  { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) },
]

const badAmounts = [
  ...['', ' ', '0', '-1', '+1', '1e3', '1E3', '0x10', 'NaN', 'Infinity', '1,5', '1.', '.5', '01', '1.0000001', '1 '],
  ...['1000000000000', '9'.repeat(40), '１', '1\u0000', 'null', '1_000', '½', '1.5.5', '--1', "1' or '1'='1"],
  ...[-1, 0, 1e21, 1.0000001, Number.MAX_VALUE, true, null, [], {}, ['1'], { amount: '1' }],
]
const badTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '𝒳'.repeat(50),
  '../../etc/passwd',
  "'; drop table users; --",
  '2026-13-45',
  '0000-01-01',
  'a'.repeat(5_000),
  7,
  null,
  [],
  {},
]
const badNumbers = [2 ** 31, 2 ** 63, Number.MAX_SAFE_INTEGER]
const badValues: unknown[] = [...badAmounts, ...badTexts, ...badNumbers]

/** Objects with real field names and bad values, and random JSON. */
export function randomBodies(route: Route, { seed, count }: { seed: number; count: number }): unknown[] {
  const own = shapesOf(route).flatMap((shape) => Object.keys(shape))
  const names = [...own, '__proto__x', 'constructor', 'user_id', 'amount', 'page_no']
  const value = fc.oneof(fc.constantFrom(...badValues), fc.jsonValue({ maxDepth: 2 }))
  const body = fc.oneof(
    { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 6 }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  )
  return fc.sample<unknown>(body, { numRuns: count, seed })
}

/** One good body for each set of fields: the example if there is one, otherwise all fields with any good value. */
export function goodBodies(route: Route, example: Fields | undefined): Fields[] {
  const shapes = shapesOf(route)
  return example && shapes.length === 1 ? [example] : shapes.map(goodFields)
}

/**
 * Bodies that differ from a good one in one field, which is missing or bad. If the schema wrongly accepts a bad value,
 * such a body reaches the handler; a random body would be refused for its other fields.
 */
export function nearlyGoodBodies(route: Route, good: Fields[]): Fields[] {
  return shapesOf(route).flatMap((shape, index) => {
    const body = good[index] ?? {}
    const names = [...new Set([...Object.keys(body), ...Object.keys(shape)])]
    return names.flatMap((name) => {
      const { [name]: value = goodValue(name, shape), ...others } = body
      return [others, ...variations(value).map((bad) => ({ ...others, [name]: bad }))]
    })
  })
}

type Shape = Record<string, z.ZodType>

/** The fields of the route. A route whose input is a union has several sets of fields. */
function shapesOf(route: Route): Shape[] {
  const input = route.input as { shape?: Shape; options?: { shape: Shape }[] }
  return input.options ? input.options.map(({ shape }) => shape) : [input.shape ?? {}]
}

const goodFields = (shape: Shape): Fields =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, goodValue(name, shape)]))

function goodValue(name: string, shape: Shape): unknown {
  const value = goodValues.find((candidate) => shape[name]?.safeParse(candidate).success)
  if (value === undefined) throw new Error(`Add a value that the field ${name} accepts to goodValues`)
  return value
}

/** Every bad value, and the good value with one part of it replaced, at any depth. */
function variations(good: unknown): unknown[] {
  if (typeof good === 'string') return [...badValues, `${good}\u0000`, `${good}x`, `x${good}`, good.slice(0, -1)]
  if (typeof good === 'number') return [...badValues, -good, good + 0.5, String(good)]
  if (Array.isArray(good))
    return [...badValues, ...good.flatMap((part, at) => variations(part).map((bad) => good.with(at, bad)))]
  if (typeof good !== 'object' || good === null) return badValues
  const parts = Object.entries(good)
  return [...badValues, ...parts.flatMap(([key, part]) => variations(part).map((bad) => ({ ...good, [key]: bad })))]
}
