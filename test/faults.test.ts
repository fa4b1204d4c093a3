import { expect, test } from 'vitest'
import { micro, parseUsdt } from '../src/protocol/money.ts'
import { userAccount } from '../src/server/ledger/accounts.ts'
import { post } from '../src/server/ledger/post.ts'
import { newId, transaction } from '../src/server/platform/db.ts'
import { createTestLedger } from '../src/server/testing/ledger.ts'
import { numberFromOutside } from '../src/server/testing/numbers.ts'
import { createModel } from './faults/model.ts'
import { createSchedule } from './faults/schedule.ts'
import { runFaults } from './faults/suite.ts'

const FAULTS = numberFromOutside('FAULTS', 40)

test('the same seed gives the same faults, another seed gives different ones, and the first faults cover every kind', () => {
  expect(createSchedule(7, 300)).toEqual(createSchedule(7, 300))
  expect(createSchedule(7, 300)).not.toEqual(createSchedule(8, 300))
  expect(new Set(createSchedule(7, 14).map(({ kind }) => kind)).size).toBe(14)
})

test('the model detects lost, doubled and created operations', async () => {
  const books = await createTestLedger()
  await books.openUsers(2, 'wallet', parseUsdt('100'))
  const send = (amount: bigint) =>
    transaction(books.db, (tx) => {
      const movement = { from: userAccount(1, 'wallet'), to: userAccount(2, 'wallet'), amount: micro(amount) }
      return post(tx, { kind: 'transfer', reference: newId(), movements: [movement] })
    })
  const model = createModel()
  const note = (amount: bigint, outcome: 'done' | 'refused' | 'unknown') =>
    model.note({ kind: 'transfer', userNumber: 1, amount, outcome })
  for (const amount of [1n, 2n, 3n, 3n, 4n]) await send(amount)
  note(1n, 'done')
  note(2n, 'unknown')
  note(3n, 'done')
  note(4n, 'refused')
  note(5n, 'done')
  note(6n, 'unknown')
  expect(await model.compare(books.owner, new Set())).toEqual({
    acked: 3,
    lost: ['transfer of 5 by user 1 (done): 0 times'],
    doubled: ['transfer of 3 by user 1 (done): 2 times'],
    created: ['transfer of 4 by user 1 (refused): 1 times'],
  })
  await books.close()
})

test('after all kinds of faults no operation is lost, doubled or created', { timeout: 1_500_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const { line, lost, doubled, created, acked } = await runFaults({ seed, count: FAULTS, log: console.log })
  console.log(line)
  expect({ lost, doubled, created }).toEqual({ lost: [], doubled: [], created: [] })
  expect(acked).toBeGreaterThan(FAULTS)
})
