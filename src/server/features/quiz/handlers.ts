import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { quiz } from '../../../protocol/quiz.ts'
import type { QuizAction } from '../../../protocol/quiz-judge.ts'
import type { Context, Handlers, RequestContext } from '../../context.ts'
import { type Db, type Tx, transaction } from '../../platform/db.ts'
import { ownsToken } from '../users/sessions.ts'
import { type Answer, dealNext, type Game, listAbandonedGames, loadGame, playAction, startGame } from './games.ts'
import { readLeaderboard, setHidden } from './leaderboard.ts'
import { readOverview } from './overview.ts'
import type { GameId } from './tables.ts'
import { dealTaste, judgeTaste } from './taste.ts'
import { viewOf } from './views.ts'

export const handlers: Handlers<typeof quiz> = {
  start: async ({ change, db, clock, user, session }, { token, topic }) => {
    if (!(await ownsToken(db, session.id, token)))
      throw new AppError('forbidden', 'The token does not belong to this session', 'token')
    const now = clock.now()
    return change(async (tx) => {
      const game = await startGame(tx, user.number, topic ?? null, now)
      return { status: 'success', Msg: 'Game started', game: await viewOf(tx, game, now) }
    })
  },
  show: (context, { id }) => withGame(context, id, '', async (_tx, game) => ({ game })),
  deal: (context, { id }) => withGame(context, id, 'Next question', dealNext),
  shoot: (context, { id, score, question, option, at_ms }) =>
    withGame(context, id, 'Shot judged', async (tx, game, now) => {
      if (question === undefined || option === undefined) return confirmScore(game, score)
      const action: QuizAction =
        option === null ? { kind: 'escape', question } : { kind: 'shot', question, option, claimedMs: at_ms }
      return playAction(tx, game, action, now, score)
    }),
  power: (context, { id, question, power }) =>
    withGame(context, id, 'Power-up used', (tx, game, now) =>
      playAction(tx, game, { kind: 'power', question, power }, now),
    ),
  pause: (context, { id, question }) =>
    withGame(context, id, 'Game paused', (tx, game, now) => playAction(tx, game, { kind: 'pause', question }, now)),
  end: (context, { id }) =>
    withGame(context, id, 'Game over', async (tx, game, now) =>
      game.state.end ? { game } : { game: (await playAction(tx, game, { kind: 'end' }, now)).game },
    ),
  overview: async ({ db, clock, user }) => ({
    status: 'success',
    Msg: '',
    data: await readOverview(db, user.number, clock.now()),
  }),
  leaderboard: async ({ db, clock, user }, { period }) => {
    const { startsOn, ...board } = await readLeaderboard(db, period, user.number, clock.now())
    return { status: 'success', Msg: '', period, starts_on: startsOn, ...board }
  },
  visibility: ({ change, user }, { hide }) =>
    change(async (tx) => {
      await setHidden(tx, user.number, hide)
      const Msg = hide ? 'Only you can see your scores now' : 'Your scores are on the leaderboards now'
      return { status: 'success', Msg }
    }),
  taste: async ({ db, clock }) => ({ status: 'success', Msg: '', data: dealTaste(await getKey(db), clock.now()) }),
  tasteShoot: async ({ db, clock }, { deal, option }) => ({
    status: 'success',
    Msg: '',
    ...judgeTaste(await getKey(db), deal, option, clock.now()),
  }),
}

/** Ends the games that their players abandoned. */
export async function closeAbandonedGames({ db, clock }: Context): Promise<void> {
  const now = clock.now()
  const abandoned = await transaction(db, (tx) => listAbandonedGames(tx, now))
  for (const { id, user_number } of abandoned)
    await transaction(db, async (tx) => playAction(tx, await loadGame(tx, id, user_number), { kind: 'end' }, now))
}

type Play = (tx: Tx, game: Game, now: Date) => Promise<Answer>

/** Runs one call on a locked game. A refusal is returned, not thrown, so that an expired game is still saved. */
function withGame(context: RequestContext<typeof quiz.deal>, id: GameId, Msg: string, play: Play) {
  const { change, clock, user } = context
  const now = clock.now()
  return change(async (tx) => {
    const { refused, game } = await play(tx, await loadGame(tx, id, user.number), now)
    return refused ?? { status: 'success', Msg, game: await viewOf(tx, game, now) }
  })
}

/** The specification's bare `{score}` is only compared with the server's score (R12). */
function confirmScore(game: Game, score: number): Answer {
  if (game.state.end) return { game, refused: new AppError('game_over', 'This game is over.') }
  if (score === game.state.score) return { game }
  const reason = `The score is ${game.state.score}, not ${score}.`
  return { game, refused: new AppError('score_mismatch', reason, 'score') }
}

async function getKey(db: Db): Promise<Buffer> {
  const { rows } = await sql<{ key: Buffer }>`select key from quiz_keys`.execute(db)
  const key = rows[0]?.key
  if (!key) throw new Error('the key for the sample questions is missing')
  return key
}
