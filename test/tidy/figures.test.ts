import { expect, test } from 'vitest'
import { findFigures } from './figures.ts'
import { listFiles } from './files.ts'

const plant = (text: string, path = 'src/web/plans/page.tsx') => findFigures([{ path, text }])

test('no page, text or query hard-codes a figure that belongs to the terms', () => {
  expect(findFigures(listFiles())).toEqual([])
})

test('a planted figure is reported in text, between tags and in SQL', () => {
  expect(plant("{ name: 'Fee, 5%', value }")).toEqual(['src/web/plans/page.tsx: 5%'])
  expect(plant('<p>Above 1,000 USDT an operator looks first.</p>')).toHaveLength(1)
  expect(plant('acts after 24 hours.\n')).toHaveLength(1)
  expect(plant('at least 1 USDT')).toHaveLength(1)
  expect(plant('`You earn from 5 levels`', 'src/protocol/plans.ts')).toHaveLength(1)
  expect(plant("sql`now() - interval '7 days'`", 'src/server/features/users/handlers.ts')).toHaveLength(1)
})

test('values from the terms, comments, class names and a single day are allowed', () => {
  expect(plant('<p>Fee, {terms.topUpFeePercent}% above {formatUsdt(terms.topUpFeeAbove)} USDT</p>')).toEqual([])
  expect(plant('/** 1,500 parts per million are 0.15%. */')).toEqual([])
  expect(plant("const places = ['left-[4%] top-[8%]']")).toEqual([])
  expect(plant("option === 1 ? '1 day' : daysText(option)")).toEqual([])
})
