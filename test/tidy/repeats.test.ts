import { expect, test } from 'vitest'
import { listFiles } from './files.ts'
import { findRepeats } from './repeats.ts'

test('no block of six or more lines is duplicated', () => {
  expect(findRepeats(listFiles())).toEqual([])
})

const block = (count: number) => Array.from({ length: count }, (_, at) => `    call(${at})`).join('\n')
const plant = (...texts: string[]) => findRepeats(texts.map((text, at) => ({ path: `src/ui/file-${at}.ts`, text })))

test('a planted duplicate of six lines is reported once with both places, one of five lines is not', () => {
  expect(plant(`start()\n${block(5)}\n`, `${block(5)}\nend()\n`)).toEqual([])
  expect(plant(`start()\n${block(6)}\n`, `\n\n${block(6)}\nend()\n`)).toEqual([
    'src/ui/file-1.ts:3 repeats src/ui/file-0.ts:2',
  ])
  expect(plant(block(20), block(20))).toEqual(['src/ui/file-1.ts:1 repeats src/ui/file-0.ts:1'])
  expect(plant(`${block(6)}\n${block(6)}`)).toEqual(['src/ui/file-0.ts:7 repeats src/ui/file-0.ts:1'])
})

test('indentation, blank lines, brackets and comments are ignored', () => {
  const loose = block(6).replaceAll('    ', '  ').replaceAll('\n', '\n\n  // why\n  })\n')
  expect(plant(block(6), loose)).toHaveLength(1)
})

test('imports, lists of names and tests may be duplicated', () => {
  const alike = `import {\n${'  a as b,\n'.repeat(8)}} from './x.ts'\n${['one', 'two', 'three', 'four', 'five', 'six'].join(',\n')}`
  expect(plant(alike, alike)).toEqual([])
  expect(findRepeats(['a', 'b'].map((name) => ({ path: `src/ui/${name}.test.ts`, text: block(9) })))).toEqual([])
})
