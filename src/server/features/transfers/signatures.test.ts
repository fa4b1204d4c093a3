import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { runAudit } from '../../ledger/audit.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { post } from '../../ledger/post.ts'
import { newId, transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { bindSession } from '../../testing/bound.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { signTransfer, type TestUser, type TransferBody, transfer } from '../../testing/payments.ts'
import { giveRewards, giveWallet } from '../../testing/plans.ts'
import { changeTerms } from '../../testing/terms.ts'
import { transferInvariants } from './invariants.ts'

let api: TestApi
let node: PaymentChain
const u = parseUsdt
beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

/** A sender with a bound session, and a recipient they have sent 1 USDT to. */
async function twoFriends() {
  const [anna, ben] = [await aUser(api), await aUser(api)]
  await giveWallet(api, anna.number, '2001')
  await transfer(api, anna, ben, '1')
  const post = await bindSession(api, anna)
  const body = (amount: string, to = ben): TransferBody => ({ to_user: to.username, amount, source: 'wallet' })
  const received = async () => (await getUserBalances(api.context.db, ben.number)).wallet - u('1')
  const send = (payload: object, key?: string) => post('/internal_transfer/', payload, key)
  const free = async (to = ben) =>
    (await post('/internal_transfer_recipient/', { to_user: to.username })).body['data'] as { unsigned_max: string }
  return { anna, ben, body, send, received, free }
}
const required = { status: 403, body: { code: 'signature_required', Msg: 'Sign this transfer with your wallet' } }
const refused = { status: 403, body: { code: 'signature_refused' } }

test('to a known recipient, 100 USDT a day need no signature; one micro-USDT more does', async () => {
  const { anna, body, send, received, free } = await twoFriends()
  expect(await free()).toMatchObject({ unsigned_max: '100' })
  expect(await send(body('60'))).toMatchObject({ status: 200 })
  expect(await free()).toMatchObject({ unsigned_max: '40' })
  expect(await send(body('40.000001'))).toMatchObject(required)
  expect(await send(body('40'))).toMatchObject({ status: 200 })
  expect(await send(body('0.01'))).toMatchObject(required)
  const signed = { ...body('500'), ...(await signTransfer(anna, body('500'))) }
  expect(await send(signed)).toMatchObject({ status: 200 })
  expect(await received()).toBe(u('600'))
})

test('a new recipient needs a signature, and is known after the first signed transfer', async () => {
  const { anna, body, send, free } = await twoFriends()
  const stranger = await aUser(api)
  expect(await free(stranger)).toMatchObject({ unsigned_max: '0' })
  expect(await send(body('1', stranger))).toMatchObject(required)
  const signed = { ...body('1', stranger), ...(await signTransfer(anna, body('1', stranger))) }
  expect(await send(signed)).toMatchObject({ status: 200 })
  expect(await send(body('1', stranger))).toMatchObject({ status: 200 })
})

test('a copied token of an unbound session sends nothing, not even to a known recipient', async () => {
  const { anna, body, received } = await twoFriends()
  const send = (path: string, payload: object) =>
    api.send('POST', path, payload, { token: anna.token, 'idempotency-key': crypto.randomUUID() })
  expect(await send('/internal_transfer/', body('0.01'))).toMatchObject(required)
  const reply = await send('/internal_transfer_recipient/', { to_user: body('1').to_user })
  expect(reply.body['data']).toMatchObject({ unsigned_max: '0' })
  expect(await received()).toBe(0n)
})

test('a signature for something else, of another wallet, expired or used before is refused', async () => {
  const { anna, ben, body, send, received } = await twoFriends()
  const order = body('500')
  for (const proof of [
    await signTransfer(anna, { ...order, amount: '501' }),
    await signTransfer(anna, { ...order, to_user: anna.username }),
    await signTransfer(anna, { ...order, source: 'daily' }),
    await signTransfer(ben, order),
    await signTransfer(anna, order, { minutes: -1 }),
    await signTransfer(anna, order, { minutes: 60 }),
    await signTransfer(anna, order, { chainId: 56 }),
  ])
    expect(await send({ ...order, ...proof })).toMatchObject(refused)
  expect(await received()).toBe(0n)
  const proof = await signTransfer(anna, order)
  expect(await send({ ...order, ...proof })).toMatchObject({ status: 200 })
  expect(await send({ ...order, ...proof })).toMatchObject(refused)
  const { nonce, deadline } = proof
  expect(await send({ ...order, nonce, deadline })).toMatchObject(required)
  expect(await received()).toBe(u('500'))
})

test('thirty concurrent transfers from two balances stay within the allowance', async () => {
  const { anna, body, send, received } = await twoFriends()
  await giveRewards(api, anna.number, 'reward', '300')
  const source = (place: number) => (place % 2 === 0 ? 'wallet' : 'daily')
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, place) => send({ ...body('15'), source: source(place) })),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(6)
  expect(replies.filter(({ body: { code } }) => code === 'signature_required')).toHaveLength(24)
  expect(await received()).toBe(u('90'))
})

test('a repeat gets the stored reply, even when the allowance is used', async () => {
  const { body, send, received } = await twoFriends()
  const first = await send(body('100'), 'once')
  expect(first.status).toBe(200)
  expect(await send(body('100'), 'once')).toEqual(first)
  expect(await send(body('99'), 'once')).toMatchObject({ status: 409, body: { code: 'idempotency_mismatch' } })
  expect(await received()).toBe(u('100'))
})

type Forged = { to: TestUser; amount: string; signature?: string | null; sentAt?: Date; isOld?: boolean }

/** Posts and records a transfer in plain SQL, as the application's role can. */
async function forge(from: TestUser, { to, amount, signature = null, sentAt = new Date(), isOld = false }: Forged) {
  const id = newId()
  const movement = {
    from: userAccount(from.number, 'wallet'),
    to: userAccount(to.number, 'wallet'),
    amount: u(amount),
  }
  const nonce = signature === null ? null : crypto.randomUUID().replaceAll('-', '')
  await transaction(api.context.db, async (tx) => {
    await post(tx, { kind: 'transfer', reference: id, movements: [movement] })
    await sql`insert into transfers
        (id, from_number, to_number, source, amount, sent_at, nonce, deadline, signature, predates_signatures)
      values (${id}, ${from.number}, ${to.number}, 'wallet', ${u(amount)}, ${sentAt}, ${nonce},
        ${nonce && sentAt}, ${signature}, ${isOld})`.execute(tx)
  })
  return id
}

test('the application’s role cannot write an unsigned transfer to a new recipient or above the allowance', async () => {
  const { anna, ben } = await twoFriends()
  const thief = await aUser(api)
  const refusal = (why: string) => `a transfer ${why} needs a signature`
  await expect(forge(anna, { to: thief, amount: '1' })).rejects.toThrow(refusal('to a new recipient'))
  await expect(forge(anna, { to: thief, amount: '1', isOld: true })).rejects.toThrow(refusal('to a new recipient'))
  await expect(forge(anna, { to: ben, amount: '100.000001' })).rejects.toThrow(refusal('above the daily allowance'))
})

test('invariant 21 reports a transfer with a forged signature, and one with another date', async () => {
  const { anna, ben } = await twoFriends()
  const findings = async () => {
    const { invariants } = await runAudit(api.context.db, transferInvariants(api.context.chain))
    return invariants.flatMap((invariant) => invariant.findings)
  }
  expect(await findings()).toEqual([])
  const id = await forge(anna, { to: await aUser(api), amount: '900', signature: `0x${'1b'.repeat(65)}` })
  expect(await findings()).toEqual([expect.stringContaining(id)])
  const dated = await forge(anna, { to: ben, amount: '100', sentAt: new Date(Date.now() - 5 * 86_400_000) })
  expect((await findings()).join()).toContain(`transfer ${dated} at`)
})

test('the allowance is the one of the terms in force, and the database keeps it', async () => {
  const { anna, ben, free } = await twoFriends()
  await changeTerms(api.database.ownerUrl, { transferUnsignedDailyMax: u('10') })
  expect(await free()).toMatchObject({ unsigned_max: '10' })
  await expect(forge(anna, { to: ben, amount: '10.000001' })).rejects.toThrow('above the daily allowance')
  await forge(anna, { to: ben, amount: '10' })
  expect(await free()).toMatchObject({ unsigned_max: '0' })
})
