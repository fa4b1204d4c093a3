import { AppError } from '../../../protocol/errors.ts'
import type { quiz } from '../../../protocol/quiz.ts'
import type { Context, Handlers, RequestContext } from '../../context.ts'
import { transaction } from '../../platform/db.ts'
import { ownsToken } from '../users/sessions.ts'
import { listAbandonedGames, loadGame, play, startGame } from './games.ts'
import { keepGuestGame, playGuestGame, startGuestGame } from './guests.ts'
import { readLeaderboard, setHidden } from './leaderboard.ts'
import type { Move } from './moves.ts'
import { readOverview } from './overview.ts'
import type { GameId } from './tables.ts'
import { guestViewOf, viewOf } from './views.ts'

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
  show: (context, { id }) => withGame(context, id, '', { kind: 'show' }),
  deal: (context, { id }) => withGame(context, id, 'Next question', { kind: 'deal' }),
  shoot: (context, { id, ...shot }) => withGame(context, id, 'Shot judged', { kind: 'shoot', ...shot }),
  power: (context, { id, ...power }) => withGame(context, id, 'Power-up used', { kind: 'power', ...power }),
  pause: (context, { id, question }) => withGame(context, id, 'Game paused', { kind: 'pause', question }),
  end: (context, { id }) => withGame(context, id, 'Game over', { kind: 'end' }),
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
  guestStart: async ({ db, clock }) => {
    const now = clock.now()
    const { pass, game } = await transaction(db, (tx) => startGuestGame(tx, now))
    return { status: 'success', Msg: 'Game started', pass, game: guestViewOf(game, now) }
  },
  guestMove: async ({ db, clock }, { pass, ...move }) => {
    const now = clock.now()
    const { game, refused } = await transaction(db, (tx) => playGuestGame(tx, pass, move, now))
    if (refused) throw refused
    return { status: 'success', Msg: '', game: guestViewOf(game, now) }
  },
  guestKeep: ({ change, clock, user }, { pass }) => {
    const now = clock.now()
    return change(async (tx) => {
      const game = await keepGuestGame(tx, pass, user.number, now)
      return { status: 'success', Msg: 'Your points are in your account', game: await viewOf(tx, game, now) }
    })
  },
}

/** Ends the games that their players abandoned. */
export async function closeAbandonedGames({ db, clock }: Context): Promise<void> {
  const now = clock.now()
  const abandoned = await transaction(db, (tx) => listAbandonedGames(tx, now))
  for (const { id, user_number } of abandoned)
    await transaction(db, async (tx) => play(tx, await loadGame(tx, id, user_number), { kind: 'end' }, now))
}

/** Runs one move on a locked game. A refusal is returned, not thrown, so that an expired game is still saved. */
function withGame(context: RequestContext<typeof quiz.deal>, id: GameId, Msg: string, move: Move) {
  const { change, clock, user } = context
  const now = clock.now()
  return change(async (tx) => {
    const { refused, game } = await play(tx, await loadGame(tx, id, user.number), move, now)
    return refused ?? { status: 'success', Msg, game: await viewOf(tx, game, now) }
  })
}
