import type pg from 'pg'
import { micro, parseUsdt } from '../../src/protocol/money.ts'
import { users as userRoutes } from '../../src/protocol/users.ts'
import { createTestWallet } from '../../src/server/testing/api.ts'
import type { PaymentChain } from '../../src/server/testing/chain.ts'
import type { Client } from './client.ts'
import { USERS } from './schedule.ts'
import { untilTrue } from './until.ts'

const FIRST_DEPOSIT = parseUsdt('4000')

export type Person = Awaited<ReturnType<typeof register>>
type Place = { client: Client; owner: pg.Pool; chain: PaymentChain }

/** Users with money, each invited by the one before. */
export async function gatherPeople({ client, owner, chain }: Place): Promise<Person[]> {
  const people: Person[] = []
  for (let count = 0; count < USERS; count++) people.push(await register(client, owner, people.at(-1)?.referralCode))
  for (const { wallet } of people) {
    await chain.give(wallet.address, micro(FIRST_DEPOSIT * 2n))
    await chain.pay(wallet.privateKey, FIRST_DEPOSIT)
  }
  await untilTrue(async () => (await countDeposits(owner)) === USERS)
  return people
}

/** Registers a user below the previous one, so that purchases pay an upline. */
async function register(client: Client, owner: pg.Pool, referralCode: string | undefined) {
  const wallet = createTestWallet()
  const username = `p${wallet.address.slice(2, 14)}`
  const { token, id, wallet_address } = await client.call(userRoutes.register, {
    ...(await wallet.signIn(client)),
    username,
    ...(referralCode && { referral_code: referralCode }),
  })
  // As if the user had also signed in with a browser key: others earn no referral rewards.
  await owner.query('update users set bound_at = now() where id = $1', [id])
  const { rows } = await owner.query('select number, referral_code from users where id = $1', [id])
  const row = rows[0] as { number: number; referral_code: string }
  return { wallet, username, token, wallet_address, number: row.number, referralCode: row.referral_code }
}

const countDeposits = async (owner: pg.Pool): Promise<number> =>
  (await owner.query("select count(*)::int as count from ledger_postings where kind = 'chain_deposit'")).rows[0].count
