import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaderboardPeriods, type QuizGame, quiz } from '../../../protocol/quiz.ts'
import { QUESTIONS_IN_GAME, quizRules } from '../../../protocol/quiz-engine.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { runAsOwner } from '../../testing/database.ts'
import { closeAbandonedGames } from './handlers.ts'
import { periodStart } from './leaderboard.ts'
import { bank } from './questions/bank.ts'
import { findBrokenGames } from './replays.ts'

let nowMs = Date.parse('2026-03-04T10:00:00Z')
const wait = (ms: number) => {
  nowMs += ms
}
let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ clock: { now: () => new Date(nowMs) } })
})
afterAll(() => api.close())

type Player = Awaited<ReturnType<typeof aUser>>
const wire = (game: QuizGame) => `game_${game.gameId}`
const rightOf = (game: QuizGame) => {
  const question = bank.find(({ text }) => text === game.question?.text)
  return game.question?.options.indexOf(question?.options[0] ?? '') ?? -1
}
const start = async (player: Player) => (await api.call(quiz.start, { token: player.token }, player.token)).game
const deal = async (player: Player, game: QuizGame) => {
  wait(1_500)
  return (await api.call(quiz.deal, { id: wire(game) }, player.token)).game
}
const post = (player: Player, game: QuizGame, call: string, body: object = {}) =>
  api.send('POST', `/game/${wire(game)}/${call}/`, body, { token: player.token })

async function shoot(player: Player, game: QuizGame, option = rightOf(game), afterMs = 2_000) {
  wait(afterMs)
  const input = { id: wire(game), score: game.score, question: game.dealt, option, at_ms: afterMs }
  return (await api.call(quiz.shoot, input, player.token)).game
}

/** Plays a whole game: this many hits, then misses until it is over. */
async function playGame(player: Player, hits: number): Promise<QuizGame> {
  let game = await start(player)
  while (!game.end) {
    game = await deal(player, game)
    game = await shoot(player, game, game.hits < hits ? rightOf(game) : (rightOf(game) + 1) % 4)
  }
  return game
}

const asOwner = (statement: string) => runAsOwner(api.database.ownerUrl, statement)

test('a whole game is dealt without answers, timed and scored by the server, and rewarded once', async () => {
  const player = await aUser(api)
  const game = await playGame(player, QUESTIONS_IN_GAME)
  expect(game).toMatchObject({ end: 'completed', hits: 25, lives: 3, combo_best: 25, resolved: 25 })
  expect(game.score).toBeGreaterThan(18_000)
  expect(game.result).toMatchObject({ points: 100, is_best: true, best: game.score })
  const { data } = await api.call(quiz.overview, {}, player.token)
  expect(data).toMatchObject({ best: game.score, games: 1, points: 100, points_left_today: 200, open_game: null })
  const user = await api.context.db.selectFrom('users').select('points').where('id', '=', player.id).executeTakeFirst()
  // 100 for the game and 20 for the daily challenge it completes.
  expect(user?.points).toBe(120n)
})

test('no question is repeated in the same game or the next one', async () => {
  const player = await aUser(api)
  const seen: string[] = []
  for (const _ of [1, 2]) {
    let game = await start(player)
    while (!game.end) {
      game = await deal(player, game)
      seen.push(game.question?.text ?? '')
      game = await shoot(player, game)
    }
  }
  expect(new Set(seen).size).toBe(2 * QUESTIONS_IN_GAME)
})

test('a dealt question contains neither the answer nor the explanation, and the order varies', async () => {
  const player = await aUser(api)
  const places = new Set<number>()
  let game = await start(player)
  while (places.size < 3) {
    game = await deal(player, game)
    expect(Object.keys(game.question ?? {}).sort()).toEqual(
      ['elapsed_ms', 'number', 'options', 'removed', 'slowed_at_ms', 'text', 'topic', 'window_ms'].sort(),
    )
    expect(game.outcome).toBeNull()
    const right = rightOf(game)
    places.add(right)
    game = await shoot(player, game)
    expect(game.outcome?.explanation.length).toBeGreaterThan(20)
    expect(game.outcome?.right).toBe(right)
  }
})

test('shots after the end, in another user’s game, twice, too early, too late or with a wrong score are refused', async () => {
  const [player, other] = [await aUser(api), await aUser(api)]
  let game = await deal(player, await start(player))
  const shot = { score: 0, question: 1, option: rightOf(game) }
  const refused = async (body: object, who = player) => {
    const reply = await post(who, game, 'shoot', body)
    return [reply.status, reply.body.code, reply.body.Msg]
  }
  expect(await refused(shot, other)).toEqual([404, 'not_found', 'There is no such game'])
  expect(await refused(shot)).toEqual([409, 'shot_refused', 'Too early: the question has only just appeared.'])
  expect(await refused({ ...shot, option: null })).toEqual([
    409,
    'shot_refused',
    'Too early: the targets are still on the board.',
  ])
  expect(await refused({ ...shot, question: 2 })).toEqual([
    409,
    'shot_refused',
    'Too early: this question has not been dealt.',
  ])
  wait(2_000)
  expect((await refused({ ...shot, at_ms: 9_000 }))[2]).toBe('The time of this shot is in the future.')
  expect(await refused({ ...shot, score: 500 })).toEqual([409, 'score_mismatch', 'The score is 0, not 500.'])
  expect((await refused({ ...shot, option: 4 }))[0]).toBe(400)
  expect((await refused({ ...shot, points: 5 }))[0]).toBe(400)
  game = await shoot(player, game, shot.option, 0)
  expect(game.score).toBeGreaterThan(0)
  expect((await refused({ ...shot, score: game.score }))[2]).toBe('This question has already been answered.')
  game = await deal(player, game)
  wait(20_000)
  const late = { score: game.score, question: 2, option: 0 }
  expect((await refused(late))[2]).toBe('Too late: the targets have escaped.')
  const escaped = await post(player, game, 'shoot', { ...late, option: null })
  expect(escaped.body['game']).toMatchObject({ lives: 2, combo: 0, outcome: { result: 'escape' } })
  expect((await post(player, game, 'end')).status).toBe(200)
  expect(await refused({ ...late, question: 3 })).toEqual([409, 'game_over', 'This game is over.'])
  expect((await post(player, game, 'deal')).body.code).toBe('game_over')
})

test('the bare score of the specification is only compared, never used', async () => {
  const player = await aUser(api)
  const game = await shoot(player, await deal(player, await start(player)))
  expect((await post(player, game, 'shoot', { score: game.score })).status).toBe(200)
  expect((await post(player, game, 'shoot', { score: game.score + 1 })).body.code).toBe('score_mismatch')
  const ended = await post(player, game, 'end')
  expect(ended.body['game']).toMatchObject({ score: game.score, end: 'stopped' })
  expect((await post(player, game, 'end')).body['game']).toMatchObject({ score: game.score, end: 'stopped' })
})

test('the same shot sent many times at once counts once', async () => {
  const player = await aUser(api)
  const game = await deal(player, await start(player))
  wait(2_000)
  const body = { score: 0, question: 1, option: rightOf(game) }
  const replies = await Promise.all(Array.from({ length: 20 }, () => post(player, game, 'shoot', body)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ body }) => body.code === 'shot_refused')).toHaveLength(19)
})

test('two starts at once leave one open game', async () => {
  const player = await aUser(api)
  const replies = await Promise.all([1, 2, 3, 4].map(() => start(player)))
  const open = await api.context.db
    .selectFrom('quiz_games')
    .select('id')
    .where('user_number', '=', player.number)
    .where('ended_at', 'is', null)
    .execute()
  expect(open).toHaveLength(1)
  expect(replies.map(({ gameId }) => gameId)).toContain(open[0]?.id)
})

test('power-ups: fifty-fifty keeps the right target, slow gives more time, and none works twice', async () => {
  const player = await aUser(api)
  let game = await deal(player, await start(player))
  const right = rightOf(game)
  wait(1_000)
  const used = await api.call(quiz.power, { id: wire(game), question: 1, power: 'fifty' }, player.token)
  expect(used.game.question?.removed).toHaveLength(2)
  expect(used.game.question?.removed).not.toContain(right)
  expect((await post(player, game, 'power', { question: 1, power: 'fifty' })).body.code).toBe('shot_refused')
  expect((await post(player, game, 'power', { question: 1, power: 'shield' })).body.code).toBe('shot_refused')
  expect((await post(player, game, 'power', { question: 1, power: 'slow' })).status).toBe(200)
  game = await shoot(player, game, right, 20_000)
  expect(game.hits).toBe(1)
})

test('a paused question is replaced, and a reload resumes the game where it was', async () => {
  const player = await aUser(api)
  let game = await deal(player, await start(player))
  const first = game.question?.text
  expect((await post(player, game, 'pause', { question: 1 })).status).toBe(200)
  game = await deal(player, game)
  expect(game.question?.text).not.toBe(first)
  wait(3_000)
  const again = (await api.call(quiz.show, { id: wire(game) }, player.token)).game
  expect(again.question).toEqual({ ...game.question, elapsed_ms: 3_000 })
  expect((await api.call(quiz.deal, { id: wire(game) }, player.token)).game.question).toEqual(again.question)
  wait(60_000)
  const missed = (await api.call(quiz.deal, { id: wire(game) }, player.token)).game
  expect(missed).toMatchObject({ question: null, outcome: { result: 'escape' }, lives: 2 })
})

test('points per day are limited, however many games are played', async () => {
  const player = await aUser(api)
  const points: (number | undefined)[] = []
  for (const _ of [1, 2, 3, 4]) points.push((await playGame(player, QUESTIONS_IN_GAME)).result?.points)
  expect(points).toEqual([100, 100, 100, 0])
  nowMs = Date.parse('2026-03-05T08:00:00Z')
  expect((await playGame(player, 3)).result?.points).toBeGreaterThan(0)
  nowMs = Date.parse('2026-03-05T09:00:00Z')
})

test('an abandoned game is ended and its score counts', async () => {
  const player = await aUser(api)
  const game = await shoot(player, await deal(player, await start(player)))
  wait(quizRules.gameMaxMs)
  await closeAbandonedGames(api.context)
  const { data } = await api.call(quiz.overview, {}, player.token)
  expect(data).toMatchObject({ best: game.score, games: 1, open_game: null })
  const other = await deal(player, await start(player))
  wait(quizRules.gameMaxMs)
  const late = await post(player, other, 'shoot', { score: 0, question: 1, option: 0 })
  expect(late.body.code).toBe('game_over')
  expect((await api.call(quiz.show, { id: wire(other) }, player.token)).game.end).toBe('expired')
})

test('leaderboards show the best game of each player who is not hidden, by day, by week and of all time', async () => {
  nowMs = Date.parse('2026-04-08T10:00:00Z')
  const [low, high] = [await aUser(api), await aUser(api)]
  await playGame(low, 2)
  const best = await playGame(high, 9)
  await playGame(high, 4)
  for (const period of ['day', 'week'] as const) {
    const path = `/quiz/leaderboard/?period=${period}`
    const { body } = await api.send('GET', path, undefined, { token: low.token })
    expect(body['data']).toMatchObject([
      { rank: 1, username: high.username, score: best.score, me: false },
      { rank: 2, username: low.username, me: true },
    ])
    expect(body['mine']).toMatchObject({ rank: 2 })
  }
  await api.call(quiz.visibility, { hide: true }, high.token)
  const names = async (token: string) => (await api.call(quiz.leaderboard, {}, token)).data.map((row) => row.username)
  expect(await names(low.token)).toEqual([low.username])
  expect(await names(high.token)).toEqual([high.username, low.username])
  await api.call(quiz.visibility, { hide: false }, high.token)
  expect(await names(low.token)).toEqual([high.username, low.username])
  nowMs = Date.parse('2026-04-09T10:00:00Z')
  expect((await api.call(quiz.leaderboard, {}, low.token)).data).toEqual([])
  const ever = await api.send('GET', '/quiz/leaderboard/?period=ever', undefined, { token: low.token })
  expect((ever.body['data'] as unknown[]).length).toBeGreaterThan(2)
  expect(leaderboardPeriods.map((period) => periodStart(period, new Date('2026-04-12T23:59:59Z')))).toEqual([
    '2026-04-12',
    '2026-04-06',
    '1970-01-01',
  ])
})

test('invariant 19 names a score that does not replay, and the application cannot change history', async () => {
  expect(await findBrokenGames(api.context.db)).toEqual([])
  const { db } = api.context
  await expect(db.updateTable('quiz_events').set({ question_id: 'x' }).execute()).rejects.toThrow('permission')
  await expect(db.deleteFrom('quiz_games').execute()).rejects.toThrow('permission')
  await expect(db.updateTable('quiz_games').set({ score: 1 }).execute()).rejects.toThrow('never changes')
  await expect(asOwner("update quiz_events set event = '{}'")).rejects.toThrow('never changes')
  const before = await db.selectFrom('quiz_games').selectAll().where('score', '>', 0).executeTakeFirstOrThrow()
  await asOwner(`alter table quiz_games disable trigger all;
    update quiz_games set score = score + 1 where id = '${before.id}'`)
  expect(await findBrokenGames(db)).toContain(
    `game ${before.id}: scored ${(before.score ?? 0) + 1}, replays to ${before.score}`,
  )
  await asOwner(`update quiz_games set score = ${before.score} where id = '${before.id}';
    insert into point_awards values (${before.user_number}, 'quiz', 'no game', 99)`)
  expect(await findBrokenGames(db)).toEqual(['points were awarded for game no game, which the player never played'])
})
