import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { micro, type Usdt } from '../../protocol/money.ts'
import { newId, transaction } from '../platform/db.ts'
import { createTestLedger } from '../testing/ledger.ts'
import { createLedgerModel, type LedgerModel } from '../testing/ledger-model.ts'
import { numberFromOutside } from '../testing/numbers.ts'
import {
  type AccountId,
  type AccountKind,
  systemAccount,
  type systemAccountKinds,
  userAccount,
  userAccountKinds,
} from './accounts.ts'
import { formatReport, runAudit } from './audit.ts'
import { ledgerInvariants } from './invariants.ts'
import { openUserAccounts, post } from './post.ts'
import type { Answer, Movement, Posted, Posting } from './posting.ts'
import { postingKinds, rules } from './rules.ts'

const OPERATIONS = numberFromOutside('LEDGER_OPS', 20_000)
const SEED = numberFromOutside('LEDGER_SEED', Math.floor(Math.random() * 2 ** 31))
const STEPS_PER_RUN = 100
/** Few enough for one batch, so that a group is posted in the order of its calls. */
const OPERATIONS_PER_STEP = 16
const RUNS = Math.ceil(OPERATIONS / (STEPS_PER_RUN * OPERATIONS_PER_STEP))
const USERS = 6

/** An operation as plain numbers, so that fast-check can shrink it. The model's state turns it into a posting. */
type Operation = { kind: number; legs: Leg[]; repeat: 'no' | 'same' | 'altered'; earlier: number; reply: number }
type Leg = { rule: number; user: number; other: number; share: Share; parts: number }
type Share = 'one' | 'part' | 'all' | 'too much'

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.nat(postingKinds.length - 1),
  legs: fc.array(
    fc.record({
      rule: fc.nat(9),
      user: fc.nat(USERS - 1),
      other: fc.integer({ min: 1, max: USERS - 1 }),
      share: fc.constantFrom<Share>('one', 'part', 'part', 'all', 'too much'),
      parts: fc.integer({ min: 1, max: 10 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  repeat: fc.constantFrom('no', 'no', 'no', 'no', 'same', 'altered'),
  earlier: fc.nat(),
  reply: fc.nat(9),
})
const step = fc.record({
  way: fc.constantFrom('group', 'group', 'group', 'transaction', 'alone'),
  operations: fc.array(operation, { minLength: OPERATIONS_PER_STEP, maxLength: OPERATIONS_PER_STEP }),
})
type Step = { way: string; operations: Operation[] }

let books: Awaited<ReturnType<typeof createTestLedger>>
let usersOpened = 0
const tally = { posted: 0, repeated: 0, mismatch: 0, insufficient: 0 }
const kindsPosted = new Set<string>()
beforeAll(async () => {
  books = await createTestLedger()
})
afterAll(() => books.close())

test(`after any ${OPERATIONS} operations the books match the model (LEDGER_SEED=${SEED})`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: STEPS_PER_RUN, maxLength: STEPS_PER_RUN }), runSteps), {
    seed: SEED,
    numRuns: RUNS,
    endOnFailure: true,
  })
  const operations = Object.values(tally).reduce((sum, count) => sum + count, 0)
  console.log(`ledger: operations=${operations} differences=0 seed=${SEED}`, tally)
  expect(operations).toBeGreaterThanOrEqual(OPERATIONS)
  expect([...kindsPosted].sort()).toEqual(postingKinds.toSorted())
  for (const count of Object.values(tally)) expect(count).toBeGreaterThan(operations / 50)
}, 3_600_000)

/** Each run opens new users. The system accounts keep the balances of the previous run. */
async function runSteps(steps: Step[]): Promise<void> {
  const firstUser = usersOpened + 1
  usersOpened += USERS
  await transaction(books.db, async (tx) => {
    for (let number = firstUser; number < firstUser + USERS; number++) await openUserAccounts(tx, number)
  })
  const before = await books.db.selectFrom('ledger_accounts').select(['id', 'balance']).execute()
  const model = createLedgerModel(before.map(({ id, balance }) => [id, balance]))
  const done: Posting[] = []
  for (const { way, operations } of steps) {
    const postings: Posting[] = []
    const expected: Answer[] = []
    for (const planned of operations) {
      const posting = postingOf(planned, firstUser, model, done)
      // In a group, the second posting with a key moves to the next batch and may be overtaken: see storms.test.ts.
      const isTwin = postings.some(({ reference }) => reference === posting.reference)
      postings.push(isTwin ? { ...posting, reference: newId() } : posting)
      expected.push(model.post(postings.at(-1) ?? posting))
    }
    expect(await execute(way, postings)).toEqual(expected)
    done.push(...postings)
    expected.forEach(({ outcome }, at) => {
      tally[outcome]++
      if (outcome === 'posted') kindsPosted.add(postings[at]?.kind ?? '')
    })
  }
  await compare(model)
}

async function compare(model: LedgerModel): Promise<void> {
  const rows = await books.db.selectFrom('ledger_accounts').select(['id', 'balance']).execute()
  expect(rows.filter(({ id, balance }) => model.balanceOf(id) !== balance)).toEqual([])
  expect(rows.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n)
  expect(formatReport(await runAudit(books.db, ledgerInvariants))).not.toContain('BROKEN')
}

async function execute(way: string, postings: Posting[]): Promise<Answer[]> {
  if (way === 'group') return await Promise.all(postings.map((posting) => answerOf(books.ledger.submit(posting))))
  if (way === 'alone') return await inTurn(postings, (posting) => books.ledger.submit(posting))
  return await transaction(books.db, (tx) => inTurn(postings, (posting) => post(tx, posting)))
}

async function inTurn(postings: Posting[], submit: (posting: Posting) => Promise<Posted>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const posting of postings) answers.push(await answerOf(submit(posting)))
  return answers
}

const outcomes: Record<string, Answer['outcome']> = {
  insufficient_balance: 'insufficient',
  idempotency_mismatch: 'mismatch',
}

async function answerOf(posting: Promise<Posted>): Promise<Answer> {
  try {
    const { repeated, reply } = await posting
    return { outcome: repeated ? 'repeated' : 'posted', answer: reply }
  } catch (error) {
    const outcome = outcomes[(error as { code: string }).code]
    if (!outcome) throw error
    return { outcome, answer: null }
  }
}

function postingOf(planned: Operation, firstUser: number, model: LedgerModel, done: Posting[]): Posting {
  const earlier = done[planned.earlier % done.length]
  if (earlier && planned.repeat === 'same') return { ...earlier, reply: planned.reply }
  if (earlier && planned.repeat === 'altered') return { ...earlier, body: { altered: planned.earlier } }
  const kind = postingKinds[planned.kind] ?? 'transfer'
  const movements = planned.legs.map((leg) => movementOf(kind, leg, firstUser, model))
  return { kind, reference: newId(), movements, reply: planned.reply }
}

function movementOf(kind: Posting['kind'], leg: Leg, firstUser: number, model: LedgerModel): Movement {
  const [fromKind, toKind, users] = rules[kind][leg.rule % rules[kind].length] ?? rules[kind][0]
  const other = users === 'same' ? leg.user : (leg.user + leg.other) % USERS
  const [from, to] = [accountOf(fromKind, firstUser + leg.user), accountOf(toKind, firstUser + other)]
  return { from, to, amount: amountOf(leg, fromKind === 'custody' ? micro(100_000_000n) : model.balanceOf(from)) }
}

const isUserKind = (kind: AccountKind) => (userAccountKinds as readonly string[]).includes(kind)
const accountOf = (kind: AccountKind, userNumber: number): AccountId =>
  isUserKind(kind)
    ? userAccount(userNumber, kind as (typeof userAccountKinds)[number])
    : systemAccount(kind as (typeof systemAccountKinds)[number])

function amountOf({ share, parts }: Leg, balance: Usdt): Usdt {
  const amount = { one: 1n, part: balance / BigInt(parts), all: balance, 'too much': balance + BigInt(parts) }[share]
  return micro(amount > 0n ? amount : 1n)
}
