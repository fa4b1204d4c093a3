import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../testing/api.ts'
import { runAsOwner } from '../testing/database.ts'
import { enrollOperators } from './development.ts'

const folder = mkdtempSync(join(tmpdir(), 'wellplay-start-'))
let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(async () => {
  await api.close()
  rmSync(folder, { recursive: true })
})

const enrolled = async () =>
  (await api.context.db.selectFrom('operators').select('name').orderBy('name').execute()).map(({ name }) => name)

test('a start that was killed after the first operator enrolls the second one, and the next one nobody', async () => {
  const asOwner = (text: string) => runAsOwner(api.database.ownerUrl, text)
  await asOwner(`alter table operators add constraint killed check (name <> 'ben')`)
  await expect(enrollOperators(api.context, folder)).rejects.toThrow('killed')
  expect(await enrolled()).toEqual(['anna'])
  await asOwner('alter table operators drop constraint killed')

  for (let start = 1; start <= 2; start++) {
    const files = await enrollOperators(api.context, folder)
    expect(files).toEqual([join(folder, 'anna.key'), join(folder, 'ben.key')])
    expect(await enrolled()).toEqual(['anna', 'ben'])
  }
})
