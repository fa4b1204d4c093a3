import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldWords } from './field-words.ts'
import type { Route, Routes } from './route.ts'
import { routes } from './routes.ts'

const firstMessage = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: fieldWords }).error?.issues[0]?.message

test('a value of the wrong kind is refused with the words of its field', () => {
  const schema = z.strictObject({
    page_no: z.int().min(1).max(1_000),
    text: z.string().min(3).max(5),
    source: z.enum(['daily', 'wallet']),
    hide: z.boolean(),
    days: z.array(z.strictObject({ steps: z.int() })).max(1),
  })
  const right = { page_no: 1, text: 'four', source: 'daily', hide: true, days: [] }
  const messageFor = (change: object) => firstMessage(schema, { ...right, ...change })
  expect(messageFor({})).toBeUndefined()
  expect(messageFor({ page_no: 'x' })).toBe('Page number must be a number')
  expect(messageFor({ page_no: 1.5 })).toBe('Page number must be a whole number')
  expect(messageFor({ page_no: 0 })).toBe('Page number must be at least 1')
  expect(messageFor({ page_no: 1_001 })).toBe('Page number must be at most 1000')
  expect(messageFor({ text: undefined })).toBe('Text is missing')
  expect(messageFor({ text: 'ab' })).toBe('Text must have at least 3 characters')
  expect(messageFor({ source: 'bank' })).toBe('Source must be daily or wallet')
  expect(messageFor({ hide: 1 })).toBe('Hide must be true or false')
  expect(messageFor({ days: [{ steps: 1 }, { steps: 2 }] })).toBe('Days must have at most 1 entries')
  expect(messageFor({ days: [{ steps: 'many' }] })).toBe('Steps must be a number')
  expect(messageFor({ surprise: 1 })).toBe('This call does not have such a field')
})

const calls = Object.entries<Routes>(routes).flatMap(([feature, table]) =>
  Object.entries(table).map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
)

describe('a message of the schema library never reaches the user', () => {
  const libraryWords = /invalid|expected|received|unrecognized|too (small|big)|must match|>=|<=|"/i
  const wrong: unknown[] = [undefined, null, 7.5, -1, 1e15, true, '', 'x', 'x'.repeat(5_000), [], [7], {}, { x: 1 }]
  test.each(calls)('%s', (_, { input }) => {
    const fields = input instanceof z.ZodObject ? Object.keys(input.shape) : []
    for (const field of [...fields, 'surprise'])
      for (const value of wrong) {
        const { error } = input.safeParse({ [field]: value }, { error: fieldWords })
        for (const { message } of error?.issues ?? []) expect(message).not.toMatch(libraryWords)
      }
  })
})
