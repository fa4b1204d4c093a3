import { expect, test } from 'vitest'
import { testSettings } from '../src/server/testing/api.ts'
import { createTestDatabase } from '../src/server/testing/database.ts'
import { runRestarts } from './rolling/suite.ts'

test('rolling restarts under load fail no request, and each stream ends with a time to reconnect', async () => {
  const database = await createTestDatabase()
  const settings = testSettings(database.urls.api)
  const { failed, hints, requests, line } = await runRestarts({ restarts: 3, settings, log: console.log })
  console.log(line)
  expect(failed).toEqual([])
  expect(hints).toBeGreaterThan(0)
  expect(requests).toBeGreaterThan(50)
  await database.drop()
})
