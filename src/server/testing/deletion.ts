import { randomBytes } from 'node:crypto'
import { deletion, deletionTypedData } from '../../protocol/deletion.ts'
import { formatUsdt, parseUsdt, type Usdt, ZERO } from '../../protocol/money.ts'
import { userAccount } from '../ledger/accounts.ts'
import { getUserBalances } from '../ledger/balances.ts'
import { post } from '../ledger/post.ts'
import { newId, transaction } from '../platform/db.ts'
import type { TestApi } from './api.ts'
import type { TestTable } from './colour.ts'
import type { TestUser } from './payments.ts'

type Changes = { signer?: TestUser; account?: TestUser; minutes?: number; signedAmount?: string; chainId?: number }

/** The request body of a deletion, signed by the user's wallet as in the web app. */
export async function signedDeletion(user: TestUser, givenUp = '0', changes: Changes = {}) {
  const { signer = user, account = user, minutes = 10, signedAmount = givenUp, chainId = 31337 } = changes
  const nonce = randomBytes(16).toString('hex')
  const deadline = new Date(Math.floor(Date.now() / 1000 + minutes * 60) * 1000)
  const order = { account: account.id, givenUp: parseUsdt(signedAmount), nonce, deadline, chainId }
  const signature = await signer.wallet.account.signTypedData(deletionTypedData(order))
  return { given_up: givenUp, nonce, deadline: deadline.getTime() / 1000, signature }
}

export const deleteUser = async (api: TestApi, user: TestUser, givenUp = '0') =>
  api.call(deletion.remove, await signedDeletion(user, givenUp), user.token)

export const requestDeletion = async (api: TestApi, user: TestUser, givenUp = '0', changes: Changes = {}) =>
  api.send('POST', deletion.remove.path, await signedDeletion(user, givenUp, changes), { token: user.token })

/**
 * Ends everything that would stop the deletion of `aRichUser`. What takes months, such as a plan, is ended as the owner;
 * balances are moved by postings.
 */
export async function settleUser({ context, owner }: TestTable, { number }: TestUser, friend: TestUser): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const statement of [
      'update plan_lots set matured_at = now(), maturity_reference = new_id() where user_number = $1',
      "update colour_exclusions set until_at = now(), from_at = now() - interval '30 days' where user_number = $1",
      'delete from reward_deferrals where user_number = $1',
      'delete from royalty_shares where user_number = $1',
      "update referral_holds set state = 'released', decided_by = 'test', decided_at = now() where user_number = $1",
      "update chain_claims set state = 'failed', closed_at = now() where details ->> 'user' = $1::text and $1::int > 0",
    ])
      await client.query(statement, [number])
    await client.query('set session_replication_role = origin')
  } finally {
    client.release()
  }
  await transaction(context.db, async (tx) => {
    const balances = await getUserBalances(tx, number)
    const move = async (kind: 'plan_maturity' | 'bet_withdrawal', from: 'plan' | 'bet', amount: Usdt) => {
      const movements = [{ from: userAccount(number, from), to: userAccount(number, 'wallet'), amount }]
      if (amount > ZERO) await post(tx, { kind, reference: newId(), movements })
    }
    await move('plan_maturity', 'plan', balances.plan)
    await move('bet_withdrawal', 'bet', balances.bet)
    const left = await getUserBalances(tx, number)
    for (const kind of ['wallet', 'reward', 'referral'] as const) {
      const movement = { from: userAccount(number, kind), to: userAccount(friend.number, 'wallet'), amount: left[kind] }
      if (left[kind] > ZERO) await post(tx, { kind: 'transfer', reference: newId(), movements: [movement] })
    }
  })
}

/** What is left in all accounts of a user, as the request names it. */
export async function readLeft({ context }: TestApi, { number }: TestUser): Promise<string> {
  const balances = Object.values(await getUserBalances(context.db, number))
  return formatUsdt(balances.reduce((sum, balance) => (sum + balance) as Usdt, ZERO))
}
