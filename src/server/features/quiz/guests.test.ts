import { afterAll, beforeAll, expect, test } from 'vitest'
import { type QuizGame, quiz } from '../../../protocol/quiz.ts'
import { QUESTIONS_IN_GAME } from '../../../protocol/quiz-engine.ts'
import { newId } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { createTestClock } from '../../testing/plans.ts'
import { bank } from './questions/bank.ts'
import { findBrokenGames } from './replays.ts'

const clock = createTestClock('2026-03-04T10:00:00Z')
let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ clock })
})
afterAll(() => api.close())

type Guest = { pass: string; game: QuizGame }
const rightOf = ({ question }: QuizGame) => {
  const { options } = bank.find(({ text }) => text === question?.text) ?? { options: [''] }
  return question?.options.indexOf(options[0] ?? '') ?? -1
}
const start = () => api.call(quiz.guestStart, {})
const deal = async ({ pass }: Guest): Promise<Guest> => {
  clock.addMs(1_500)
  return { pass, game: (await api.call(quiz.guestMove, { kind: 'deal', pass })).game }
}
const shoot = async ({ pass, game }: Guest): Promise<Guest> => {
  clock.addMs(2_000)
  const shot = { score: game.score, question: game.dealt, option: rightOf(game), at_ms: 2_000 }
  return { pass, game: (await api.call(quiz.guestMove, { kind: 'shoot', pass, ...shot })).game }
}
/** Plays a game with this many hits. */
async function playGame(hits: number): Promise<Guest> {
  let guest: Guest = await start()
  while (guest.game.hits < hits) guest = await shoot(await deal(guest))
  return guest
}
const keep = (token: string, pass: string) => api.send('POST', '/quiz/guest/keep/', { pass }, { token })
const move = async (body: object) => {
  const { status, body: reply } = await api.send('POST', '/quiz/guest/move/', body)
  return [status, reply.code]
}
const countRows = async (table: 'ledger_postings' | 'wellness_entries') =>
  (
    await api.context.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('rows'))
      .executeTakeFirstOrThrow()
  ).rows

test('a game without an account is dealt and judged alike, and kept once: it replays and moves no money', async () => {
  const { pass, game } = await playGame(QUESTIONS_IN_GAME)
  expect(game).toMatchObject({ end: 'completed', hits: 25, combo_best: 25, result: null })
  const [owner, thief] = [await aUser(api), await aUser(api)]
  const before = [await countRows('ledger_postings'), await countRows('wellness_entries')]

  const first = await keep(owner.token, pass)
  expect(first.body).toMatchObject({
    status: 'success',
    game: { score: game.score, result: { points: 100, is_best: true } },
  })
  expect((await keep(owner.token, pass)).body).toEqual(first.body)
  expect(await keep(thief.token, pass)).toMatchObject({ status: 400, body: { code: 'already_recorded' } })

  const overview = async (token: string) => (await api.call(quiz.overview, {}, token)).data
  expect(await overview(owner.token)).toMatchObject({ best: game.score, games: 1, points: 100 })
  expect(await overview(thief.token)).toMatchObject({ best: 0, games: 0, points: 0 })
  expect([await countRows('ledger_postings'), await countRows('wellness_entries')]).toEqual(before)
  expect(await findBrokenGames(api.context.db)).toEqual([])
})

test('of two accounts that keep one game at once, one gets it', async () => {
  const { pass } = await playGame(1)
  const accounts = await Promise.all([aUser(api), aUser(api)])
  const replies = await Promise.all(accounts.map(({ token }) => keep(token, pass)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('games kept at once give no more points than the day allows', async () => {
  const { token, number } = await aUser(api)
  const today = clock.now()
  const earlier = {
    seed: 1n,
    deal_seed: Buffer.alloc(32),
    started_at: today,
    ended_at: today,
    end_reason: 'stopped',
  } as const
  await api.context.db
    .insertInto('quiz_games')
    .values({ id: newId<'game'>(), user_number: number, ...earlier, score: 0, hits: 0, combo_best: 0, points: 298 })
    .execute()
  const passes = [(await playGame(4)).pass, (await playGame(4)).pass]
  const replies = await Promise.all(passes.map((pass) => keep(token, pass)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect((await api.call(quiz.overview, {}, token)).data).toMatchObject({ points: 300, points_left_today: 0, games: 3 })
})

test('only the holder of the pass can play, see or keep a game', async () => {
  const [victim, own] = [await deal(await start()), await deal(await start())]
  const { token } = await aUser(api)
  const [id, mac] = victim.pass.split('.')
  const changed = `${mac?.startsWith('A') ? 'B' : 'A'}${mac?.slice(1)}`
  clock.addMs(2_000)
  for (const pass of [`${id}.${own.pass.split('.')[1]}`, `${id}.${changed}`, `${id}.${'A'.repeat(43)}`]) {
    expect(await move({ kind: 'shoot', pass, score: 0, question: 1, option: 0 })).toEqual([404, 'not_found'])
    expect(await move({ kind: 'show', pass })).toEqual([404, 'not_found'])
    expect(await keep(token, pass)).toMatchObject({ status: 404 })
  }
  expect(await move({ kind: 'show', pass: id })).toEqual([400, 'invalid_input'])
  expect((await api.send('POST', `/game/game_${id}/deal/`, {}, { token })).status).toBe(404)
  expect((await shoot(victim)).game).toMatchObject({ resolved: 1, hits: 1 })
})

test('a forged score is refused, and a game kept while it runs ends with the score that the server counted', async () => {
  const guest = await deal(await playGame(2))
  const { pass, game } = guest
  clock.addMs(2_000)
  expect(await move({ kind: 'shoot', pass, score: 21_154, question: 3, option: 0 })).toEqual([409, 'score_mismatch'])
  expect(await move({ kind: 'shoot', pass, score: game.score, question: 3, option: 0, gained: 900 })).toEqual([
    400,
    'invalid_input',
  ])
  const { token } = await aUser(api)
  expect((await api.send('POST', '/quiz/guest/keep/', { pass, score: 21_154 }, { token })).status).toBe(400)
  expect((await keep(token, pass)).body).toMatchObject({ game: { end: 'stopped', score: game.score, hits: 2 } })
  expect(await move({ kind: 'deal', pass })).toEqual([409, 'game_over'])
})
