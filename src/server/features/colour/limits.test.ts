import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { raiseLimitData } from '../../../protocol/colour-limits.ts'
import { parseUsdt, type Usdt } from '../../../protocol/money.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'

type Player = Awaited<ReturnType<typeof aPlayer>>

let table: TestTable
let round: bigint
beforeAll(async () => {
  table = await createTestTable()
  round = await table.open()
})
afterAll(() => table.close())

const bet = async (player: Player, amount: string) =>
  (await table.send('POST', '/place-bet/', { amount, color: 'red' }, { token: player.token })).body
const set = (player: Player, kind: 'loss' | 'stake', amount: string | null, signed: object = {}) =>
  table.send('POST', '/colour/limits/', { kind, amount, ...signed }, { token: player.token })

async function sign(player: Player, amount: Usdt | null, changes: Partial<Parameters<typeof raiseLimitData>[0]> = {}) {
  const nonce = `nonce-${Math.random()}`
  const deadline = Math.floor(Date.now() / 1000) + 600
  const fields = { chainId: 31337, wallet: player.wallet.address, kind: 'stake' as const, amount, nonce, deadline }
  const signature = await player.wallet.account.signTypedData(raiseLimitData({ ...fields, ...changes }))
  return { nonce, deadline, signature }
}

/** Backdates this player's limits and exclusions. */
const backdate = (player: Player, hours: number) =>
  table.owner.query(`begin; set local session_replication_role = replica;
    update colour_limits set asked_at = asked_at - interval '${hours} hours', acts_at = acts_at - interval '${hours} hours'
    where user_number = ${player.number};
    update colour_exclusions set from_at = from_at - interval '${hours} hours', until_at = until_at - interval '${hours} hours'
    where user_number = ${player.number}; commit`)

describe('a daily limit', () => {
  it('on stakes allows exactly its amount', async () => {
    const player = await aPlayer(table)
    expect((await set(player, 'stake', '5')).status).toBe(200)
    expect((await bet(player, '3')).status).toBe('success')
    expect(await bet(player, '2.000001')).toMatchObject({ code: 'limit_reached' })
    expect((await bet(player, '2')).status).toBe('success')
    expect((await bet(player, '0.1')).Msg).toContain('You have nothing left today')
  })

  it('allows no more than its amount when many bets arrive at once', async () => {
    const player = await aPlayer(table)
    await set(player, 'stake', '5')
    const replies = await Promise.all(Array.from({ length: 20 }, () => bet(player, '1')))
    expect(replies.filter(({ code }) => code === undefined)).toHaveLength(5)
    expect(replies.filter(({ code }) => code === 'limit_reached')).toHaveLength(15)
  })

  it('on losses counts open bets as lost, and frees that amount when they win or are refunded', async () => {
    const player = await aPlayer(table)
    await set(player, 'loss', '4')
    expect((await bet(player, '4')).status).toBe('success')
    expect((await bet(player, '0.1')).code).toBe('limit_reached')
    await table.closeBetting(round, 61)
    await table.draw(round)
    round = await table.open()
    expect((await bet(player, '4')).status).toBe('success')
  })

  it('takes effect immediately when lowered', async () => {
    const player = await aPlayer(table)
    await set(player, 'stake', '50')
    await set(player, 'stake', '1')
    expect((await bet(player, '2')).code).toBe('limit_reached')
  })

  it('is raised only with a signature, and after 24 hours', async () => {
    const player = await aPlayer(table)
    await set(player, 'stake', '1')
    expect((await set(player, 'stake', '10')).body.code).toBe('signature_refused')
    expect((await set(player, 'stake', null)).body.code).toBe('signature_refused')
    const raised = await set(player, 'stake', '10', await sign(player, parseUsdt('10')))
    expect(raised).toMatchObject({ status: 200, body: { Msg: 'Your new limit takes effect in 24 hours' } })
    expect((await bet(player, '2')).code).toBe('limit_reached')
    await backdate(player, 23)
    expect((await bet(player, '2')).code).toBe('limit_reached')
    await backdate(player, 1)
    expect((await bet(player, '2')).status).toBe('success')
    expect((await bet(player, '8.1')).code).toBe('limit_reached')
  })

  it('that is pending is replaced by any later change', async () => {
    const player = await aPlayer(table)
    await set(player, 'stake', '2')
    await set(player, 'stake', '50', await sign(player, parseUsdt('50')))
    await set(player, 'stake', '1')
    await backdate(player, 48)
    const { data } = await table.call(colour.limits, {}, player.token)
    expect(data.stake).toEqual({ amount: parseUsdt('1'), next: null })
  })

  it.each([
    ['for another amount', { amount: parseUsdt('11') }],
    ['for another limit', { kind: 'loss' as const }],
    ['for another network', { chainId: 56 }],
    ['that names another wallet', { wallet: `0x${'9'.repeat(40)}` as const }],
    ['with another deadline', { deadline: 1 }],
  ])('is not raised by a signature %s', async (_name, changes) => {
    const player = await aPlayer(table)
    await set(player, 'stake', '1')
    const refused = await set(player, 'stake', '10', await sign(player, parseUsdt('10'), changes))
    expect(refused).toMatchObject({ status: 403, body: { code: 'signature_refused' } })
  })

  it('is not raised by an expired signature or by one that was already used', async () => {
    const player = await aPlayer(table)
    await set(player, 'stake', '1')
    const old = { ...(await sign(player, null)), deadline: 1 }
    expect((await set(player, 'stake', null, old)).body.Msg).toContain('expired')
    const signed = await sign(player, parseUsdt('10'))
    for (let times = 0; times < 2; times++) expect((await set(player, 'stake', '10', signed)).status).toBe(200)
    const { rows } = await table.owner.query(
      `select count(*)::int as n from colour_limits where user_number = ${player.number}`,
    )
    expect(rows[0].n).toBe(2)
    await backdate(player, 25)
    await set(player, 'stake', '1')
    await set(player, 'stake', '10', signed)
    expect((await table.call(colour.limits, {}, player.token)).data.stake.amount).toBe(parseUsdt('1'))
  })
})

describe('an exclusion', () => {
  it('blocks bets and deposits immediately, allows withdrawals, and cannot be shortened', async () => {
    const player = await aPlayer(table)
    await table.call(colour.exclude, { days: 7 }, player.token)
    await table.call(colour.exclude, { days: 1 }, player.token)
    expect(await bet(player, '1')).toMatchObject({ code: 'self_excluded' })
    const move = (direction: string) =>
      table.send('POST', '/betwallet/', { direction, amount: '1', source: 'wallet' }, { token: player.token })
    expect((await move('withdraw')).status).toBe(200)
    expect((await move('deposit')).body.code).toBe('self_excluded')
    await backdate(player, 6 * 24 + 23)
    expect(await bet(player, '1')).toMatchObject({ code: 'self_excluded' })
    await backdate(player, 1)
    expect((await bet(player, '1')).status).toBe('success')
  })

  it('can last 1, 7 or 30 days, nothing else', async () => {
    const player = await aPlayer(table)
    const ask = (days: number) => table.send('POST', '/colour/exclusion/', { days }, { token: player.token })
    expect((await ask(2)).status).toBe(400)
    expect((await ask(30)).status).toBe(200)
  })
})

it('reports what was staked and lost today, the net result of the month and when play started', async () => {
  const player = await aPlayer(table)
  const empty = await table.call(colour.limits, {}, player.token)
  expect(empty.data).toMatchObject({ staked_today: 0n, playing_since: null, net_month: 0n })
  await bet(player, '1.5')
  await bet(player, '2')
  const { data } = await table.call(colour.limits, {}, player.token)
  expect(data).toMatchObject({ staked_today: 3_500_000n, lost_today: 3_500_000n, net_month: 0n, playing_net: 0n })
  expect(data.playing_since).toBeInstanceOf(Date)
  await table.closeBetting(round)
  const drawn = await table.draw(round)
  round = await table.open()
  const after = await table.call(colour.limits, {}, player.token)
  const net = drawn?.outcome === 'red' ? 3_500_000n : -3_500_000n
  expect(after.data).toMatchObject({ net_month: net, playing_net: net, lost_today: -net })
})
