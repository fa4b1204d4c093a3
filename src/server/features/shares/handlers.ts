import { AppError } from '../../../protocol/errors.ts'
import type { shares } from '../../../protocol/shares.ts'
import type { Handlers } from '../../context.ts'
import { transaction } from '../../platform/db.ts'
import { startGuestGame } from '../quiz/guests.ts'
import { guestViewOf } from '../quiz/views.ts'
import { getShare, removeShare, share } from './shares.ts'

export const handlers: Handlers<typeof shares> = {
  create: ({ change, clock, user }, what) =>
    change(async (tx) => ({ status: 'success', Msg: '', ...(await share(tx, user.number, what, clock.now())) })),
  remove: ({ change, user }, { token }) =>
    change(async (tx) => {
      await removeShare(tx, user.number, token)
      return { status: 'success', Msg: 'Your link no longer works' }
    }),
  show: async ({ db }, { token }) => {
    const { username, figures } = await getShare(db, token)
    return { status: 'success', Msg: '', username, figures }
  },
  duel: async ({ db, clock }, { token }) => {
    const now = clock.now()
    const { pass, game } = await transaction(db, async (tx) => {
      const { game_id } = await getShare(tx, token)
      if (!game_id) throw new AppError('not_found', 'This link has no questions to answer.')
      return startGuestGame(tx, now, game_id)
    })
    return { status: 'success', Msg: 'Game started', pass, game: guestViewOf(game, now) }
  },
}
