import { expect, test } from 'vitest'
import { listFiles } from './files.ts'
import { findLong } from './sizes.ts'

test('no file is longer than 300 lines and no function is longer than 70', () => {
  const others = listFiles(['src', 'contracts', 'scripts'], /\.(?:css|sol|mjs|js)$/)
  expect(findLong([...listFiles(), ...others])).toEqual([])
})

const plant = (text: string, path = 'src/web/page.tsx') => findLong([{ path, text }])
const lines = (count: number) => 'x()\n'.repeat(count)

test('a planted file of 301 lines is reported, one of 300 is not', () => {
  expect(plant(lines(300))).toEqual([])
  expect(plant(lines(301))).toEqual(['src/web/page.tsx has 301 lines, more than 300'])
  expect(plant('a {}\n'.repeat(301), 'src/web/page.css')).toHaveLength(1)
})

test.each([
  ['a function', 'function f() {\n', '}'],
  ['an arrow function', 'const f = <T,>(x: T) => {\n', '}'],
  ['a method', 'const o = { async f() {\n', '} }'],
  ['a component', 'export function Page() {\n', 'return <p>{1 as number}</p> }'],
  ['a test', "test('x', () => {\n", '})'],
])('%s of 71 lines is reported, one of 70 is not', (_, head, tail) => {
  expect(plant(`${head}${lines(68)}${tail}`)).toEqual([])
  expect(plant(`${head}${lines(69)}${tail}`)).toEqual(['src/web/page.tsx:1 is a function of 71 lines, more than 70'])
})

test('a describe block may be long, but a function in it may not', () => {
  expect(plant(`describe('x', () => {\n${lines(100)}})`)).toEqual([])
  expect(plant(`describe.each(ways)('x', () => {\n${lines(100)}})`)).toEqual([])
  expect(plant(`describe('x', () => {\nit('y', () => {\n${lines(100)}})})`)).toHaveLength(1)
})
