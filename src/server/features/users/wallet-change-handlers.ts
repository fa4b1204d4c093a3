import { AppError } from '../../../protocol/errors.ts'
import { WALLET_CHANGE_HOURS, type walletChanges, walletChangeTypedData } from '../../../protocol/wallet-changes.ts'
import { requireTypedSignature } from '../../chain/step-up.ts'
import type { Handlers } from '../../context.ts'
import { askForChange, findWaiting, listFormer, stopChange } from './wallet-changes.ts'

export const walletChangeHandlers: Handlers<typeof walletChanges> = {
  walletChange: async ({ db, user }) => {
    const [waiting = null, former] = await Promise.all([findWaiting(db, user.number), listFormer(db, user)])
    return { status: 'success', Msg: 'Your wallet', waiting, former }
  },

  askForWallet: async ({ change, chain, clock, user }, input) => {
    const { to_wallet: to, nonce, signature, new_signature: newSignature } = input
    const deadline = new Date(input.deadline * 1000)
    const { walletAddress: from, id: account } = user
    const { chainId, vault } = chain.settings
    if (to === from) throw new AppError('wallet_taken', 'This is the wallet of your account already.', 'to_wallet')
    if (to === vault)
      throw new AppError('wallet_taken', 'This is an address of ours. Choose a wallet that only you control.')
    const data = walletChangeTypedData({ account, from, to, nonce, deadline, chainId })
    await requireTypedSignature(chain, from, data, signature)
    await requireTypedSignature(chain, to, data, newSignature, {
      field: 'new_signature',
      words: 'The second signature does not match the new wallet',
    })
    return change(
      async (tx) => {
        const waiting = await askForChange(tx, { user, to, nonce, deadline, signature, newSignature }, clock.now())
        const Msg = `Your wallet changes in ${WALLET_CHANGE_HOURS} hours. Until then you can stop it.`
        return { status: 'success', Msg, waiting }
      },
      { scope: 'wallet change', key: nonce },
    )
  },

  stopWalletChange: ({ change, user }) =>
    change(async (tx) => {
      await stopChange(tx, user.number)
      return { status: 'success', Msg: 'Stopped. Your wallet stays the same.' }
    }),
}
