import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { createOwnerPool } from '../../testing/database.ts'
import { loadGame, play, startGame } from './games.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

test('a start that ends the open game waits for a call that ends the same game: both lock the game, then the player', async () => {
  const { number } = await aUser(api)
  const { db } = api.context
  const now = new Date()
  const { row } = await db.transaction().execute((tx) => startGame(tx, number, null, now))
  const owner = createOwnerPool(api.database.ownerUrl, 1)
  const waiting = async () =>
    (await owner.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
      .rows.length

  // Without retries: a deadlock would fail one of them.
  let started: ReturnType<typeof startGame> | undefined
  const ended = await db.transaction().execute(async (tx) => {
    const game = await loadGame(tx, row.id, number)
    started = db.transaction().execute((other) => startGame(other, number, 'sleep', now))
    await expect.poll(waiting).toBe(1)
    return play(tx, game, { kind: 'end' }, now)
  })
  expect(ended.game.state.end).toBe('stopped')
  expect((await started)?.row).toMatchObject({ topic: 'sleep', ended_at: null })
  await owner.end()
})
