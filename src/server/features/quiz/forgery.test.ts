import { afterAll, expect, test } from 'vitest'
import { type QuizGame, quiz } from '../../../protocol/quiz.ts'
import { randomAt } from '../../../protocol/quiz-motion.ts'
import { aUser, createTestApi } from '../../testing/api.ts'
import { numberFromOutside } from '../../testing/numbers.ts'
import { createTestClock } from '../../testing/plans.ts'
import { findBrokenGames } from './replays.ts'

const FORGERIES = numberFromOutside('FORGERIES', 1_600)
const AT_ONCE = 25
const clock = createTestClock('2026-03-04T10:00:00Z')
const api = await createTestApi({ clock })
afterAll(() => api.close())

const snapshot = async () => ({
  events: await api.context.db.selectFrom('quiz_events').select(['game_id', 'number', 'event']).execute(),
  games: await api.context.db.selectFrom('quiz_games').selectAll().orderBy('id').execute(),
  points: await api.context.db.selectFrom('users').select(['number', 'points']).orderBy('number').execute(),
})

test('no forged shot or score counts', { timeout: 180_000 }, async () => {
  const [owner, thief] = [await aUser(api), await aUser(api)]
  const begin = async (token: string) => (await api.call(quiz.start, { token }, token)).game
  const deal = async (token: string, game: QuizGame) =>
    (await api.call(quiz.deal, { id: `game_${game.gameId}` }, token)).game
  const ended = await begin(thief.token)
  const [victim, own] = [
    await deal(owner.token, await begin(owner.token)),
    await deal(thief.token, await begin(thief.token)),
  ]
  // The questions were dealt just now, too recently for an honest shot.
  clock.addMs(200)
  const before = await snapshot()

  const forge = (index: number): { path: string; body: unknown } => {
    const random = (key: number, below: number) => Math.floor(randomAt(index, key) * below)
    const option = random(1, 4)
    const [mine, theirs, over] = [own, victim, ended].map(({ gameId }) => `/game/game_${gameId}/shoot/`)
    const forgeries = [
      { path: theirs, body: { score: 0, question: 1, option } },
      { path: mine, body: { score: 1 + random(2, 22_000) } },
      { path: mine, body: { score: 1 + random(2, 22_000), question: 1, option } },
      { path: mine, body: { score: 0, question: 1, option, at_ms: 500 + random(2, 15_000) } },
      { path: mine, body: { score: 0, question: 2 + random(2, 100), option } },
      { path: mine, body: { score: 0, question: 1, option: null } },
      { path: mine, body: { score: 0, question: 1, option: 4 + random(2, 100) } },
      { path: mine, body: { score: 0, question: 1, option, correct: true, gained: 1_000 } },
      { path: mine, body: { score: '0', question: '1', option: String(option) } },
      { path: mine, body: { score: -random(2, 9_999) - 1, question: 1, option } },
      { path: mine, body: { score: 0.5 + random(2, 9), question: 1, option } },
      { path: over, body: { score: 0, question: 1, option } },
      { path: `/game/game_0198${(index + 4096).toString(16)}-0000-7000-8000-000000000000/shoot/`, body: { score: 0 } },
      { path: theirs?.replace('shoot', 'end'), body: { score: random(2, 99_999) } },
      { path: over?.replace('shoot', 'end'), body: { score: random(2, 99_999) } },
      { path: mine, body: { score: 0, question: 1, option, aim: 101 + random(2, 9_999) } },
      { path: mine, body: [{ score: 9_999 }] },
    ]
    const { path = '', body } = forgeries[index % forgeries.length] ?? {}
    return { path, body }
  }

  const replies: number[] = []
  for (let index = 0; index < FORGERIES; index += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, offset) => forge(index + offset)).map(({ path, body }) =>
      api.send('POST', path, body, { token: thief.token }),
    )
    replies.push(...(await Promise.all(batch)).map(({ status }) => status))
  }
  expect(replies).toHaveLength(FORGERIES)
  expect([...new Set(replies)].sort()).toEqual([400, 404, 409])
  expect(await snapshot()).toEqual(before)
  expect(await findBrokenGames(api.context.db)).toEqual([])

  // An honest shot still counts afterwards.
  clock.addMs(2_000)
  const honest = { id: `game_${own.gameId}`, score: 0, question: 1, option: 0 }
  expect((await api.call(quiz.shoot, honest, thief.token)).game.resolved).toBe(1)
})
