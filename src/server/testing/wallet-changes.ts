import { randomBytes } from 'node:crypto'
import type { UserId } from '../../protocol/ids.ts'
import { users } from '../../protocol/users.ts'
import { walletChangeTypedData } from '../../protocol/wallet-changes.ts'
import { doDueChanges } from '../features/users/wallet-changes-due.ts'
import { createTestWallet, type TestApi } from './api.ts'
import { runAsOwner } from './database.ts'
import type { TestUser } from './payments.ts'

export type TestWallet = ReturnType<typeof createTestWallet>
export type ChangeOptions = {
  signer?: TestWallet
  newSigner?: TestWallet
  account?: UserId
  minutes?: number
  chainId?: number
}

/** The request body of a change of wallet, signed by both wallets as in the web app. */
export async function signedChange(user: TestUser, to: TestWallet, options: ChangeOptions = {}) {
  const { signer = user.wallet, newSigner = to, account = user.id, minutes = 10, chainId = 31337 } = options
  const nonce = randomBytes(16).toString('hex')
  const deadline = new Date(Math.floor(Date.now() / 1000 + minutes * 60) * 1000)
  const order = { account, from: user.wallet.address, to: to.address, nonce, deadline, chainId }
  const data = walletChangeTypedData(order)
  return {
    to_wallet: to.address,
    nonce,
    deadline: deadline.getTime() / 1000,
    signature: await signer.account.signTypedData(data),
    new_signature: await newSigner.account.signTypedData(data),
  }
}

export const askForWallet = async (api: TestApi, user: TestUser, to: TestWallet, options?: ChangeOptions) =>
  api.call(users.askForWallet, await signedChange(user, to, options), user.token)

/** As if the user had asked for the open change two days earlier. */
export const letDelayPass = ({ database }: TestApi, { number }: Pick<TestUser, 'number'>): Promise<void> =>
  runAsOwner(
    database.ownerUrl,
    `set session_replication_role = replica;
     update wallet_changes set asked_at = asked_at - interval '49 hours', deadline = deadline,
       takes_effect_at = takes_effect_at - interval '49 hours'
     where user_number = ${number} and done_at is null and cancelled_at is null`,
  )

/** Changes the user's wallet and signs in with the new one. */
export async function changeWallet(api: TestApi, user: TestUser, to = createTestWallet()): Promise<TestUser> {
  await askForWallet(api, user, to)
  await letDelayPass(api, user)
  await doDueChanges(api.context)
  const { token } = await api.call(users.login, await to.signIn(api))
  return { ...user, token, wallet: to }
}
