import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { read, root } from './files.ts'

/** Finds unused files, exports and dependencies in a folder. The status is 0 if there are none. */
function runKnip(folder: string): { status: number | null; found: string } {
  const args = ['--directory', folder, '--no-progress']
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/knip'), args, { encoding: 'utf8' })
  return { status, found: stdout }
}

let planted: string
beforeAll(() => {
  planted = mkdtempSync(join(tmpdir(), 'wellplay-unused-'))
  mkdirSync(join(planted, 'src/server'), { recursive: true })
})
afterAll(() => rmSync(planted, { recursive: true, force: true }))

test('every file, export and dependency is used', () => {
  expect(runKnip(root)).toEqual({ status: 0, found: '' })
})

test('a planted unused file, export and dependency are reported', () => {
  const files = {
    'knip.json': read('knip.json'),
    'package.json': JSON.stringify({ name: 'planted', type: 'module', dependencies: { 'not-needed': '1.0.0' } }),
    'src/server/main.ts': "import { wanted } from './part.ts'\nconsole.log(wanted)\n",
    'src/server/part.ts': 'export const wanted = 1\nexport const forgotten = 2\n',
    'src/server/alone.ts': 'export const alone = 1\n',
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(planted, path), text)
  const { status, found } = runKnip(planted)
  expect(status).toBe(1)
  for (const name of ['not-needed', 'forgotten', 'src/server/alone.ts']) expect(found).toContain(name)
  expect(found).not.toContain('wanted')
})
