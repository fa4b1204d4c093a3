import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '../../../protocol/users.ts'
import { WALLET_CHANGE_HOURS } from '../../../protocol/wallet-changes.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, createTestWallet, type TestApi } from '../../testing/api.ts'
import { createOwnerPool, runAsOwner } from '../../testing/database.ts'
import { newsOf } from '../../testing/news.ts'
import { freezeUser, unfreezeUser } from '../../testing/ops.ts'
import type { TestUser } from '../../testing/payments.ts'
import { askForWallet, changeWallet, letDelayPass, signedChange } from '../../testing/wallet-changes.ts'
import { askForChange } from './wallet-changes.ts'
import { doDueChanges } from './wallet-changes-due.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

const work = () => doDueChanges(api.context)
const walletOf = async ({ number }: TestUser) =>
  (
    await sql<{ wallet: string }>`select wallet_address as wallet from users where number = ${number}`.execute(
      api.context.db,
    )
  ).rows[0]?.wallet
const readChange = (user: TestUser) => api.call(users.walletChange, {}, user.token)
const stop = (user: TestUser) => api.call(users.stopWalletChange, {}, user.token)
const signIn = async (wallet: TestUser['wallet']) => api.call(users.login, await wallet.signIn(api))
const register = async (wallet: TestUser['wallet'], username: string) =>
  api.call(users.register, { ...(await wallet.signIn(api)), username })

test('a change signed by both wallets takes effect after 48 hours and ends all sessions', async () => {
  const [user, to] = [await aUser(api), createTestWallet()]
  const { waiting } = await askForWallet(api, user, to)
  expect(waiting.takes_effect_at.getTime() - waiting.asked_at.getTime()).toBe(WALLET_CHANGE_HOURS * 3_600_000)
  expect(await readChange(user)).toMatchObject({ waiting: { to_wallet: to.address }, former: [] })
  await work()
  expect(await walletOf(user)).toBe(user.wallet.address)
  await letDelayPass(api, user)
  await work()
  expect(await walletOf(user)).toBe(to.address)
  await expect(readChange(user)).rejects.toThrow('unauthenticated')
  const { token } = await signIn(to)
  expect(await readChange({ ...user, token })).toMatchObject({ waiting: null, former: [user.wallet.address] })
  expect(await newsOf(api.context.db, user)).toEqual(['wallet_change_asked', 'wallet_changed', 'sign_in'])
})

test('signing in with a former wallet says that it was changed, and it cannot register', async () => {
  const user = await aUser(api)
  await changeWallet(api, user)
  await expect(signIn(user.wallet)).rejects.toThrow('sign_in_refused: The wallet of this account was changed')
  await expect(register(user.wallet, 'the_former')).rejects.toThrow('wallet_taken: This wallet was')
})

test('a user can change back to a former wallet, but no other user can take it', async () => {
  const user = await aUser(api)
  const changed = await changeWallet(api, user)
  const other = await aUser(api)
  await expect(askForWallet(api, other, user.wallet)).rejects.toThrow('wallet_taken')
  const back = await changeWallet(api, changed, user.wallet)
  expect(await walletOf(user)).toBe(user.wallet.address)
  expect(await readChange(back)).toMatchObject({ former: [changed.wallet.address] })
  const { rows } = await sql`select from user_wallets where user_number = ${user.number}`.execute(api.context.db)
  expect(rows).toHaveLength(2)
})

test('a stolen session without the wallets changes nothing', async () => {
  const [user, thief] = [await aUser(api), createTestWallet()]
  await expect(askForWallet(api, user, thief, { signer: thief })).rejects.toThrow('signature_refused')
  const to = createTestWallet()
  await expect(askForWallet(api, user, to, { newSigner: user.wallet })).rejects.toThrow(
    'signature_refused: The second signature does not match the new wallet',
  )
  expect((await readChange(user)).waiting).toBeNull()
})

test('signatures of another account, chain or time are refused, and none works twice', async () => {
  const [user, other, to] = [await aUser(api), await aUser(api), createTestWallet()]
  await expect(askForWallet(api, user, to, { account: other.id })).rejects.toThrow('signature_refused')
  await expect(askForWallet(api, user, to, { chainId: 56 })).rejects.toThrow('signature_refused')
  await expect(askForWallet(api, user, to, { minutes: -1 })).rejects.toThrow(
    'signature_refused: The signature has expired',
  )
  await expect(askForWallet(api, user, to, { minutes: 60 })).rejects.toThrow('signature_refused: The deadline')
  const body = await signedChange(user, to)
  await api.call(users.askForWallet, body, user.token)
  await stop(user)
  // A repeat of the stopped request gets the stored reply, and starts nothing.
  await api.call(users.askForWallet, body, user.token)
  expect((await readChange(user)).waiting).toBeNull()
  const again = { user: { number: user.number, walletAddress: user.wallet.address }, to: to.address, nonce: body.nonce }
  const signed = {
    deadline: new Date(body.deadline * 1000),
    signature: body.signature,
    newSignature: body.new_signature,
  }
  await expect(
    transaction(api.context.db, (tx) => askForChange(tx, { ...again, ...signed }, new Date())),
  ).rejects.toThrow('These signatures were used before')
})

test('the same wallet, the vault, keys of ours and wallets of users are refused', async () => {
  const [user, other] = [await aUser(api), await aUser(api)]
  await expect(askForWallet(api, user, user.wallet)).rejects.toThrow('wallet_taken: This is the wallet of your account')
  await expect(askForWallet(api, user, other.wallet)).rejects.toThrow('wallet_taken')
  const ours = createTestWallet()
  await runAsOwner(
    api.database.ownerUrl,
    `insert into chain_wallets (chain_id, address) values (31337, '${ours.address}')`,
  )
  await expect(askForWallet(api, user, ours)).rejects.toThrow('wallet_taken: This is an address of ours')
  const vault = { ...createTestWallet(), address: api.context.config.chain.vault }
  await expect(askForWallet(api, user, vault)).rejects.toThrow('wallet_taken: This is an address of ours')
})

test('one change at a time, and of two users who want one wallet the first gets it', async () => {
  const [user, other, to] = [await aUser(api), await aUser(api), createTestWallet()]
  const answers = await Promise.allSettled([askForWallet(api, user, to), askForWallet(api, other, to)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [winner, loser] = answers[0]?.status === 'fulfilled' ? [user, other] : [other, user]
  await expect(askForWallet(api, loser, to)).rejects.toThrow('wallet_taken')
  await expect(askForWallet(api, winner, createTestWallet())).rejects.toThrow('already_recorded')
  await stop(winner)
  await askForWallet(api, loser, to)
})

test('of a registration and a change to the same wallet at the same time, one wins', async () => {
  for (let round = 0; round < 5; round++) {
    const [user, to] = [await aUser(api), createTestWallet()]
    const answers = await Promise.allSettled([askForWallet(api, user, to), register(to, `racer_${round}`)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = answers.find((answer) => answer.status === 'rejected')
    expect(String(refused?.reason)).toContain('wallet_taken')
  }
})

test('a wallet that is about to become the wallet of an account cannot register, until the change is stopped', async () => {
  const [user, to] = [await aUser(api), createTestWallet()]
  await askForWallet(api, user, to)
  await expect(register(to, 'too_late')).rejects.toThrow('wallet_taken: This wallet was, or is about to become')
  await stop(user)
  await expect(stop(user)).rejects.toThrow('not_found')
  await register(to, 'now_free')
})

test('a stopped change is never done', async () => {
  const [user, to] = [await aUser(api), createTestWallet()]
  await askForWallet(api, user, to)
  await letDelayPass(api, user)
  await stop(user)
  await work()
  expect(await walletOf(user)).toBe(user.wallet.address)
})

test('a stop and the change at the same moment: exactly one of them happens', async () => {
  for (let round = 0; round < 5; round++) {
    const [user, to] = [await aUser(api), createTestWallet()]
    await askForWallet(api, user, to)
    await letDelayPass(api, user)
    const [stopped] = await Promise.allSettled([stop(user), work()])
    expect(await walletOf(user)).toBe(stopped.status === 'fulfilled' ? user.wallet.address : to.address)
  }
})

test('two workers do a change once', async () => {
  const [user, to] = [await aUser(api), createTestWallet()]
  await askForWallet(api, user, to)
  await letDelayPass(api, user)
  await Promise.all([work(), work(), work()])
  expect(await walletOf(user)).toBe(to.address)
  expect(await newsOf(api.context.db, user)).toEqual(['wallet_change_asked', 'wallet_changed'])
})

test('a worker that dies while it does a change leaves nothing behind, and the next one does it', async () => {
  const [user, to] = [await aUser(api), createTestWallet()]
  await askForWallet(api, user, to)
  await letDelayPass(api, user)
  const dying = new pg.Client({ connectionString: api.database.urls.worker })
  dying.on('error', () => {})
  await dying.connect()
  await dying.query('begin')
  const { rows } = await dying.query<{ done: Date | null; pid: number }>(
    'select wallet_change_do(id) as done, pg_backend_pid() as pid from wallet_changes where user_number = $1',
    [user.number],
  )
  expect(rows[0]?.done).toBeInstanceOf(Date)
  await runAsOwner(api.database.ownerUrl, `select pg_terminate_backend(${rows[0]?.pid}, 60000)`)
  expect(await walletOf(user)).toBe(user.wallet.address)
  await readChange(user)
  await work()
  expect(await walletOf(user)).toBe(to.address)
})

test('a frozen account cannot ask, its change waits, and it can be stopped', async () => {
  const [user, to] = [await aUser(api), createTestWallet()]
  await askForWallet(api, user, to)
  await letDelayPass(api, user)
  await freezeUser(api, user.number)
  await work()
  expect(await walletOf(user)).toBe(user.wallet.address)
  await stop(user)
  await expect(askForWallet(api, user, createTestWallet())).rejects.toThrow('user_frozen')
  await unfreezeUser(api, user.number)
})

test('a row without real signatures is not done', async () => {
  const [user, thief] = [await aUser(api), createTestWallet()]
  const body = await signedChange(user, thief, { signer: thief })
  const signed = {
    deadline: new Date(body.deadline * 1000),
    signature: body.signature,
    newSignature: body.new_signature,
  }
  const forged = {
    user: { number: user.number, walletAddress: user.wallet.address },
    to: thief.address,
    nonce: body.nonce,
  }
  await transaction(api.context.db, (tx) => askForChange(tx, { ...forged, ...signed }, new Date()))
  await letDelayPass(api, user)
  await work()
  expect(await walletOf(user)).toBe(user.wallet.address)
})

test('no process can change a wallet, or the row of a change, in another way', async () => {
  const [user, to] = [await aUser(api), createTestWallet()]
  await askForWallet(api, user, to)
  const owner = createOwnerPool(api.database.ownerUrl)
  const asWorker = new pg.Client({ connectionString: api.database.urls.worker })
  await asWorker.connect()
  try {
    const early = await asWorker.query(
      'select wallet_change_do(id) as done from wallet_changes where user_number = $1',
      [user.number],
    )
    expect(early.rows).toEqual([{ done: null }])
    const direct = `update users set wallet_address = '${to.address}' where number = ${user.number}`
    await expect(asWorker.query(direct)).rejects.toThrow('permission denied')
    await expect(owner.query(direct)).rejects.toThrow('the wallet of a user changes only as both wallets signed')
    const now = `update wallet_changes set takes_effect_at = now() where user_number = ${user.number}`
    await expect(owner.query(now)).rejects.toThrow('can only be stopped or done')
    await owner.query(`update wallet_changes set cancelled_at = now() where user_number = ${user.number}`)
    await expect(
      owner.query(`update wallet_changes set cancelled_at = null where user_number = ${user.number}`),
    ).rejects.toThrow('can only be stopped or done')
  } finally {
    await asWorker.end()
    await owner.end()
  }
})
