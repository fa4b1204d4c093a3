import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { withdrawals } from '../../protocol/withdrawals.ts'
import { getSystemBalances, getUserBalances } from '../ledger/balances.ts'
import { creditOperator } from '../ledger/funding.ts'
import { findHalt } from '../ledger/halt.ts'
import { newId, transaction } from '../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { runTestOps, waitingId } from '../testing/ops.ts'
import { withdraw } from '../testing/payments.ts'
import { fundPool, giveWallet } from '../testing/plans.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  await fundPool(api, 'house', '1')
})
afterAll(() => api.close())

/** Runs a command line, split at spaces. `more` are arguments that contain spaces. */
const ops = (line: string, ...more: string[]) => runTestOps(api, [...line.split(' ').filter(Boolean), ...more])
const why = ['--why', 'monthly plan']

async function lastActs(count: number) {
  const rows = await api.context.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(count).execute()
  return rows.map(({ who, what, why: reason }) => `${who}: ${what} (${reason})`).reverse()
}

async function aWaiting(amount: string) {
  const user = await aUser(api)
  await giveWallet(api, user.number, '5000')
  const { data } = await withdraw(api, user, amount)
  const state = async () => (await api.call(withdrawals.history, {}, user.token)).data[0]?.state
  const wallet = async () => (await getUserBalances(api.context.db, user.number)).wallet
  return { user, id: data.id, state, wallet }
}

test('without arguments it prints every command; an unknown command is refused with exit code 1', async () => {
  const help = await ops('')
  expect(help.code).toBe(0)
  for (const name of ['audit', 'pools', 'fund', 'withdrawals approve', 'users freeze', 'support answer', 'settings'])
    expect(help.text).toContain(`  ${name}`)
  expect(await ops('explode')).toMatchObject({ code: 1, text: expect.stringContaining('no command "explode"') })
})

test('every act in the help says how many operators must sign it, in the database and in README.md', async () => {
  const kinds = await api.context.db.selectFrom('operator_act_kinds').select('act').orderBy('act').execute()
  const acts = [...(await ops('')).text.matchAll(/^ {2}([a-z-]+(?: [a-z]+)?)(?: [<[].*)? \* /gm)].map(
    ([, name]) => name,
  )
  expect(acts.toSorted()).toEqual(kinds.map(({ act }) => act))
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
  for (const { act } of kinds) expect(readme).toMatch(new RegExp(`^\\|.*\`${act}\`.*\\| (1|2)`, 'm'))
})

test('an unknown option is refused in one sentence with the usage, and nothing changes', async () => {
  const before = await getSystemBalances(api.context.db)
  for (const [line, sentence] of [
    ['fund house 5 --as anna --force', "Unknown option '--force'."],
    ['fund house 5 --as anna --json', "Unknown option '--json'."],
    ['fund house 5 --as', "Option '--as <value>' argument missing."],
    ['fund house 5 --why --as anna', "Option '--why' argument is ambiguous."],
    ['fund house -5 --as anna', "Unknown option '-5'."],
  ] as const)
    expect(await ops(line)).toEqual({
      code: 1,
      text: `${sentence}\n\n  npm run ops -- fund <pool> <amount> --why TEXT [--as NAME] [--key-file PATH]`,
    })
  expect(await ops('audit --json=yes')).toMatchObject({ code: 1, text: expect.stringContaining('[--json]') })
  expect(await ops('--explode')).toMatchObject({
    code: 1,
    text: expect.stringContaining("Unknown option '--explode'."),
  })
  expect(await getSystemBalances(api.context.db)).toEqual(before)
})

test('--help prints the usage of a command and does not run it', async () => {
  expect(await ops('--help')).toEqual(await ops(''))
  const { code, text } = await ops('withdrawals --help')
  expect(code).toBe(0)
  expect(text).toContain('npm run ops -- withdrawals [--all] [--state STATE]\n')
  expect(text).toMatch(/ {2}--state STATE +only those in this state/)
  const act = await ops('halt -h --as anna', ...why)
  expect(act.text).toMatch(/ {2}--why TEXT +the reason/)
  expect(await findHalt(api.context.db)).toBeUndefined()
})

test('options can come before the arguments and take a value after an equals sign', async () => {
  const { text } = await ops('--as=anna users --why=because show 1')
  expect(text).toContain("Unknown option '--as'.")
  expect(await ops('--state=paid withdrawals')).toEqual({ code: 0, text: 'No withdrawals in this list.' })
})

test('an act without a reason or with wrong arguments does nothing and says what is missing', async () => {
  expect(await ops('fund house 5 --as anna')).toMatchObject({ code: 1, text: expect.stringContaining('Give a reason') })
  expect(await ops('fund moon 5 --as anna', ...why)).toMatchObject({
    code: 1,
    text: expect.stringContaining('no pool'),
  })
  expect(await ops('fund house -5 --as anna', ...why)).toMatchObject({ code: 1 })
})

test('funding a pool is refused when the operator does not have the money', async () => {
  await fundPool(api, 'house', '0.5')
  const before = await getSystemBalances(api.context.db)
  expect(await ops('fund reward_pool 5 --as anna', ...why)).toMatchObject({
    code: 1,
    text: expect.stringContaining('Insufficient'),
  })
  expect((await getSystemBalances(api.context.db)).reward_pool).toBe(before.reward_pool)
})

test('above 1,000 USDT a second operator must sign', async () => {
  await giveOperator('5000')
  const { house } = await getSystemBalances(api.context.db)
  expect((await ops('fund house 1000 --as cleo', ...why)).text).toContain('Added 1000 USDT to house')
  const asked = await ops('fund house 1000.000001 --as anna', ...why)
  expect(asked.text).toContain('Another operator must sign it')
  expect((await getSystemBalances(api.context.db)).house).toBe(house + parseUsdt('1000'))
  const id = waitingId(asked.text)
  expect((await ops('fund house 1000.000001 --as ben', ...why)).text).toContain(`ops -- approve ${id}`)
  expect((await ops('approvals')).text).toMatch(new RegExp(`${id} +fund +amount: 1000.000001; pool: house +anna `))
  expect((await ops(`approve ${id} --as anna`)).text).toContain('another operator must sign it')
  expect((await ops(`approve ${id} --as ben`)).text).toBe('Added 1000.000001 USDT to house.')
  expect((await getSystemBalances(api.context.db)).house).toBe(house + parseUsdt('2000.000001'))
  expect((await ops(`approve ${id} --as ben`)).text).toContain('No act with this id is waiting')
  expect(await lastActs(2)).toEqual([
    'cleo: fund (amount: 1000; pool: house) (monthly plan)',
    'anna and ben: fund (amount: 1000.000001; pool: house) (monthly plan)',
  ])
})

test('a waiting withdrawal needs one approval, a large one needs two', async () => {
  const small = await aWaiting('150')
  expect((await ops('withdrawals')).text).toContain(small.user.username)
  expect((await ops(`withdrawals approve ${small.id} --as anna`, ...why)).text).toContain('is paid automatically')
  expect(await small.state()).toBe('requested')
  expect((await ops(`withdrawals approve ${small.id} --as ben`, ...why)).text).toContain('nothing to decide')
  const large = await aWaiting('1000.000001')
  const asked = await ops(`withdrawals approve ${large.id} --as anna`, ...why)
  expect(asked.text).toContain('Another operator must sign it')
  expect((await ops(`withdrawals approve ${large.id} --as anna`, ...why)).code).toBe(1)
  expect(await large.state()).toBe('waiting')
  expect((await ops('withdrawals')).text).toMatch(/waiting +anna/)
  await ops(`approve ${waitingId(asked.text)} --as ben`)
  expect(await large.state()).toBe('requested')
})

test('a rejected withdrawal returns amount and fee, and shows the user the reason', async () => {
  const { user, id, state, wallet } = await aWaiting('200')
  expect(await wallet()).toBe(parseUsdt('4800'))
  await ops(`withdrawals reject ${id} --as anna`, '--why', 'The wallet is on a list')
  expect(await state()).toBe('refused')
  expect(await wallet()).toBe(parseUsdt('5000'))
  const { data } = await api.call(withdrawals.history, {}, user.token)
  expect(data[0]?.note).toBe('The wallet is on a list')
  const details = `amount: 200; to: ${user.wallet_address}; withdrawal: ${id.replace('withdrawal_', '')}`
  expect(await lastActs(1)).toEqual([`anna: withdrawals reject (${details}) (The wallet is on a list)`])
})

test('fees of withdrawals that could still be refused cannot be collected', async () => {
  await aWaiting('500')
  const { fees } = await getSystemBalances(api.context.db)
  expect(fees).toBeGreaterThanOrEqual(parseUsdt('25'))
  expect(await ops('collect-fees 999 --as anna', ...why)).toMatchObject({
    code: 1,
    text: expect.stringContaining('can be collected now'),
  })
})

test('a frozen user can write to support, but change nothing else until unfrozen', async () => {
  const user = await aUser(api)
  expect((await ops(`users freeze ${user.username} --as anna`, ...why)).code).toBe(0)
  expect((await ops(`users show ${user.number}`)).text).toMatch(/frozen +20/)
  const question = { topic: 'other', subject: 'Frozen', text: 'Why?' }
  expect((await api.send('POST', '/support/open/', question, { token: user.token })).status).toBe(200)
  expect((await api.send('POST', '/auth/logout_everywhere/', {}, { token: user.token })).status).toBe(403)
  expect((await ops(`users freeze ${user.username} --as anna`, ...why)).text).toContain('already frozen')
  const asked = await ops(`users unfreeze ${user.wallet_address} --as anna`, ...why)
  expect((await api.send('POST', '/auth/logout_everywhere/', {}, { token: user.token })).status).toBe(403)
  await ops(`approve ${waitingId(asked.text)} --as cleo`)
  expect((await api.send('POST', '/auth/logout_everywhere/', {}, { token: user.token })).status).toBe(200)
})

test('one operator can halt payouts and bets, two can resume them', async () => {
  await ops('halt --as anna', '--why', 'moving house')
  expect(await lastActs(1)).toEqual(['anna: halt (moving house)'])
  expect(await findHalt(api.context.db)).toMatchObject({ source: 'operator', reason: 'moving house' })
  expect((await ops('status')).text).toContain('operator: moving house')
  const asked = await ops('resume --as anna', ...why)
  expect(await findHalt(api.context.db)).toBeDefined()
  expect((await ops(`approve ${waitingId(asked.text)} --as ben`)).text).toBe('The halt by "operator" is lifted.')
  expect(await findHalt(api.context.db)).toBeUndefined()
  expect((await ops('resume --as anna', ...why)).text).toContain('There is no halt by "operator"')
})

test('settings are shown without keys, pools with their cover', async () => {
  const { text } = await ops('settings')
  expect(text).toContain('"publicUrls"')
  expect(text).not.toMatch(/0x[0-9a-f]{64}/)
  expect(text).not.toContain('postgres:')
  expect((await ops('pools')).text).toMatch(/reward_pool/)
  expect((await ops('log')).text).toContain('resume (source: operator)')
})

async function giveOperator(amount: string): Promise<void> {
  const deposit = { reference: newId(), amount: parseUsdt(amount) }
  await transaction(api.context.db, (tx) => creditOperator(tx, deposit))
}
