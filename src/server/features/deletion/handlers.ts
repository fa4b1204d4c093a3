import { type deletion, deletionTypedData, keptReasons } from '../../../protocol/deletion.ts'
import { requireTimely, requireTypedSignature } from '../../chain/step-up.ts'
import type { Handlers } from '../../context.ts'
import { transaction } from '../../platform/db.ts'
import { publish, SIGNED_OUT } from '../../platform/events.ts'
import { deleteAccount, listObstacles, readGivenUp } from './delete.ts'

export const handlers: Handlers<typeof deletion> = {
  preview: async ({ db, user }) => {
    const [obstacles, given_up] = await Promise.all([listObstacles(db, user.number), readGivenUp(db, user.number)])
    return { status: 'success', Msg: 'What a deletion means', data: { obstacles, given_up, kept: keptReasons() } }
  },

  // Without `change`: the stored replies go with the account, and a repeat has no session any more.
  remove: async ({ db, chain, clock, user }, { given_up: givenUp, nonce, deadline: seconds, signature }) => {
    const deadline = new Date(seconds * 1000)
    const order = { account: user.id, givenUp, nonce, deadline, chainId: chain.settings.chainId }
    await requireTypedSignature(chain, user.walletAddress, deletionTypedData(order), signature)
    requireTimely(deadline, clock.now())
    await transaction(db, async (tx) => {
      await deleteAccount(tx, user.number, givenUp)
      await publish(tx, { topic: SIGNED_OUT, user: user.number })
    })
    return { status: 'success', Msg: 'Your account is deleted', kept: keptReasons() }
  },
}
