import { Resvg } from '@resvg/resvg-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plans } from '../../../protocol/plans.ts'
import { type QuizGame, quiz } from '../../../protocol/quiz.ts'
import { type ShareFigures, shares } from '../../../protocol/shares.ts'
import { DAY_MS, dayOf } from '../../../protocol/time.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { aUserWithPlan, createTestClock } from '../../testing/plans.ts'
import { bank } from '../quiz/questions/bank.ts'
import { matureLots } from '../rewards/maturity.ts'
import { cardSvg, font } from './cards.ts'

const clock = createTestClock('2026-03-04T10:00:00Z')
let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ clock })
})
afterAll(() => api.close())

type Player = Awaited<ReturnType<typeof aUser>>
const wire = (game: QuizGame) => `game_${game.gameId}`
const rightOf = ({ question }: QuizGame) => {
  const { options } = bank.find(({ text }) => text === question?.text) ?? { options: [''] }
  return question?.options.indexOf(options[0] ?? '') ?? -1
}
const image = (token: string) => api.http.inject({ method: 'GET', url: `/api/share/${token}/card.png` })

/** Plays this many questions right and ends the game. Returns it with the questions in their order. */
async function playGame({ token }: Player, hits: number) {
  let { game } = await api.call(quiz.start, { token, topic: 'sleep' }, token)
  const asked: string[] = []
  while (game.hits < hits) {
    clock.addMs(1_500)
    game = (await api.call(quiz.deal, { id: wire(game) }, token)).game
    asked.push(game.question?.text ?? '')
    clock.addMs(2_000)
    const shot = { score: game.score, question: game.dealt, option: rightOf(game), at_ms: 2_000, aim: 90 }
    game = (await api.call(quiz.shoot, { id: wire(game), ...shot }, token)).game
  }
  return { game: (await api.call(quiz.end, { id: wire(game) }, token)).game, asked }
}

test('a duel deals the questions of the shared game, shows no answer before a shot, and cannot be kept', async () => {
  const player = await aUser(api)
  const { game, asked } = await playGame(player, 4)
  const { token } = await api.call(shares.create, { kind: 'quiz', game: wire(game) }, player.token)
  const duel = await api.call(shares.duel, { token })
  let state = duel.game
  for (const text of asked) {
    clock.addMs(1_500)
    state = (await api.call(quiz.guestMove, { kind: 'deal', pass: duel.pass })).game
    expect(state.question?.text).toBe(text)
    expect(state.outcome).toBeNull()
    clock.addMs(2_000)
    const shot = { score: state.score, question: state.dealt, option: rightOf(state), at_ms: 2_000, aim: 90 }
    state = (await api.call(quiz.guestMove, { kind: 'shoot', pass: duel.pass, ...shot })).game
  }
  expect(state.score).toBe(game.score)
  // The answers are known by now: a score made with them must not reach the leaderboards.
  const kept = await api.send('POST', '/quiz/guest/keep/', { pass: duel.pass }, { token: player.token })
  expect(kept).toMatchObject({ status: 400, body: { code: 'duel_not_kept' } })
  expect((await api.call(quiz.overview, {}, player.token)).data.games).toBe(1)
})

test('a card is an image with the figures of its owner, one link for the same figures, and gone when removed', async () => {
  const [owner, stranger] = [await aUser(api), await aUser(api)]
  const refused = await api.send('POST', '/share/', { kind: 'rings' }, { token: owner.token })
  expect(refused).toMatchObject({ status: 400, body: { code: 'nothing_to_share' } })
  const now = clock.now()
  const closed = { user_number: owner.number, day_on: dayOf(now), pillar: 'activity', completed_at: now } as const
  await api.context.db.insertInto('wellness_completions').values(closed).execute()
  const { token, figures } = await api.call(shares.create, { kind: 'rings' }, owner.token)
  expect(figures).toEqual({ kind: 'rings', closed: 1, rings: 4 })
  expect((await api.call(shares.create, { kind: 'rings' }, owner.token)).token).toBe(token)

  const { headers, rawPayload } = await image(token)
  expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=300' })
  expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1200, 630])
  expect((await api.send('POST', '/unshare/', { token }, { token: stranger.token })).status).toBe(404)
  expect((await image(token)).statusCode).toBe(200)
  await api.call(shares.remove, { token }, owner.token)
  expect((await image(token)).statusCode).toBe(404)
  expect((await api.send('GET', `/share/${token}/`)).status).toBe(404)
})

test('a plan is shared by its owner when it was paid back, without its amount', async () => {
  const [owner, stranger] = [await aUserWithPlan(api, '100'), await aUser(api)]
  const [order] = (await api.call(plans.history, { pageno: 1 }, owner.token)).data
  const body = { kind: 'plan', order: `order_${order?.order_id}` } as const
  const early = await api.send('POST', '/share/', body, { token: owner.token })
  expect(early).toMatchObject({ status: 400, body: { code: 'nothing_to_share' } })
  expect(order?.matured_on).toBeNull()
  clock.addMs(90 * DAY_MS)
  await matureLots(api.context)
  const [matured] = (await api.call(plans.history, { pageno: 1 }, owner.token)).data
  expect(matured?.matured_on).toBe('2026-06-02')
  expect((await api.send('POST', '/share/', body, { token: stranger.token })).status).toBe(404)
  const { token, figures } = await api.call(shares.create, body, owner.token)
  expect(figures).toEqual({ kind: 'plan', tier: 'Active', days: 90 })
  expect(cardSvg('a_user', figures)).toContain('Active plan completed')
  expect(JSON.stringify(await api.call(shares.show, { token }))).not.toContain('100')
  expect((await image(token)).headers['content-type']).toBe('image/png')
})

const long: ShareFigures[] = [
  { kind: 'plan', tier: 'Starter', days: 90 },
  { kind: 'plan', tier: 'W'.repeat(20), days: 365 },
  { kind: 'rings', closed: 4, rings: 4 },
  { kind: 'streak', days: 88_888 },
]
test.each(long)('the title of a card ends before its edge: %j', (figures) => {
  const svg = cardSvg('a_user', figures)
  const { pixels, width, height } = new Resvg(svg, { font }).render()
  const isTitle = (x: number, y: number) => pixels.readUIntBE((y * width + x) * 4, 3) === 0xc8f169
  const columns = Array.from({ length: width }, (_, x) => x)
  const drawn = columns.filter((x) => x > 480 && columns.slice(0, height).some((y) => isTitle(x, y)))
  expect(drawn.length).toBeGreaterThan(100)
  expect(Math.max(...drawn)).toBeLessThan(width - 48)
})

test('only the owner of a finished game can share it, and no text becomes part of the drawing', async () => {
  const [player, thief] = [await aUser(api), await aUser(api)]
  const { game } = await playGame(player, 1)
  const body = { kind: 'quiz', game: wire(game) }
  expect((await api.send('POST', '/share/', body, { token: thief.token })).status).toBe(404)
  const invented = await api.send('POST', '/share/', { ...body, score: 99_999 }, { token: player.token })
  expect(invented.status).toBe(400)
  const svg = cardSvg('<image href="file:///etc/passwd"/>', { kind: 'streak', days: 3 })
  expect(svg).not.toContain('<image')
})
