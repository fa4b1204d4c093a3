import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { takeInstanceLock } from './instance-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'wellplay-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a second instance on the same data is refused, with the address of the first one', async () => {
  const lock = await takeInstanceLock(folder, 'http://localhost:3000')
  const second = takeInstanceLock(folder, 'http://localhost:3001')
  await expect(second).rejects.toThrow('Wellplay is already running on this data: http://localhost:3000')
  await lock.stop()
  await (await takeInstanceLock(folder, 'http://localhost:3001')).stop()
})

test('the lock of a killed process is ignored, even if the path is very long', async () => {
  const deep = join(folder, 'a-long-name'.repeat(12))
  for (const dataDir of [folder, deep]) {
    const script = `const { takeInstanceLock } = await import(${JSON.stringify(import.meta.resolve('./instance-lock.ts'))})
      await takeInstanceLock(${JSON.stringify(dataDir)}, 'dead'); process.kill(process.pid, 'SIGKILL')`
    expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' })).toThrow()
    await (await takeInstanceLock(dataDir, 'alive')).stop()
  }
})
