import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { colour } from '../../protocol/colour.ts'
import { parseUsdt } from '../../protocol/money.ts'
import { type Asked, createBetting } from '../features/colour/bets.ts'
import type { NewBet } from '../features/colour/betting.ts'
import { bindBlock, ensureChain, revealRound, roundTerms } from '../features/colour/draws.ts'
import { finishRound } from '../features/colour/rounds.ts'
import type { RoundRow } from '../features/colour/tables.ts'
import { systemAccount, userAccount } from '../ledger/accounts.ts'
import { getBalance } from '../ledger/balances.ts'
import { creditOperator, fundPool } from '../ledger/funding.ts'
import { post } from '../ledger/post.ts'
import { createDb, type Db, newId, transaction } from '../platform/db.ts'
import { aUser, createTestApi, type TestApi, type TestOptions } from './api.ts'
import { createOwnerPool } from './database.ts'
import { fillAccount } from './ledger.ts'

type Options = TestOptions & { house?: string; chainLength?: number }

/** The whole API with a funded house, and rounds that open and close only when the test calls for it. */
export async function createTestTable(options: Options = {}) {
  const { house: houseMoney = '1000', chainLength = 5_000, ...apiOptions } = options
  const api = await createTestApi(apiOptions)
  const { db } = api.context
  const owner = createOwnerPool(api.database.ownerUrl)
  const ownerDb = createDb(owner)
  const house = parseUsdt(houseMoney)
  await transaction(db, async (tx) => {
    await ensureChain(tx, chainLength)
    await creditOperator(tx, { reference: newId(), amount: house })
    await fundPool(tx, 'house', { reference: newId(), amount: house })
  })

  /** Opens a round now, for this many seconds. Runs as the owner: others can open only the round of this minute. */
  async function open(seconds = 600): Promise<bigint> {
    const { rows } = await ownerDb.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      return await sql<{ number: string }>`
        insert into colour_rounds (number, id, chain_id, opens_at, closes_at, ${roundTerms.columns})
        select coalesce(max(number), 0) + 1, ${newId()}, (select max(id) from colour_chains), clock_timestamp(),
          clock_timestamp() + make_interval(secs => ${seconds}), ${roundTerms.values(sql`clock_timestamp()`)}
        from colour_rounds returning number`.execute(tx)
    })
    return BigInt(rows[0]?.number ?? 0)
  }

  /** Closes betting now (to the millisecond) or `secondsAgo`. Runs as the owner, because the application may not. */
  async function close(number: bigint, secondsAgo = 0): Promise<void> {
    await owner.query(`begin; set local session_replication_role = replica;
      update colour_rounds set closes_at = date_trunc('milliseconds', clock_timestamp() + interval '1 ms')
          - interval '${secondsAgo} seconds',
        opens_at = least(opens_at, clock_timestamp() - interval '${secondsAgo + 1} seconds') where number = ${number};
      commit; select pg_sleep(0.002)`)
  }

  const place = createBetting(db)
  const house_ = () => getBalance(db, systemAccount('house'))
  const escrow = () => getBalance(db, systemAccount('bet_escrow'))

  return {
    ...api,
    owner,
    open,
    closeBetting: close,
    ...createDraws(db),
    /** Places a bet, as the API does for a call without a key. */
    bet: async (bet: NewBet) => (await place(askFor(bet))).data,
    house: house_,
    escrow,
    async close(): Promise<void> {
      await owner.end()
      await api.close()
    },
  }
}

function createDraws(db: Db) {
  /** Binds a made-up block and draws the round, if it is not too late for that. It is not paid yet. */
  async function drawOnly(number: bigint, hash = `0x${randomBytes(32).toString('hex')}`): Promise<void> {
    const block = { number: number * 10n, hash, at: new Date(Date.now() + 1_000) }
    await transaction(db, (tx) => bindBlock(tx, number, block))
    await transaction(db, (tx) => revealRound(tx, number))
  }

  /** Draws and finishes the round. If it is too late for a draw, the stakes go back. */
  async function draw(number: bigint, hash?: string): Promise<RoundRow | undefined> {
    await drawOnly(number, hash)
    const finished = await transaction(db, (tx) => finishRound(tx, number))
    if (finished?.state === 'refunded') await transaction(db, (tx) => revealRound(tx, number))
    return finished
  }

  return { drawOnly, draw }
}

/** A call to /place-bet/ for this bet, with this idempotency key if there is one. */
export const askFor = (bet: NewBet, key?: string): Asked => {
  const { path, output } = colour.placeBet
  const keys = key === undefined ? [] : [{ scope: path, key }]
  const request = [path, { amount: bet.stake, color: bet.colour }]
  return { bet, call: { userNumber: bet.userNumber, keys, request, output } }
}

export type TestTable = Awaited<ReturnType<typeof createTestTable>>

/** A user with money in the bet wallet. */
export async function aPlayer(table: TestApi, amount = '100', options: { referralCode?: string } = {}) {
  const user = await aUser(table, options)
  await transaction(table.context.db, (tx) => fillAccount(tx, user.number, 'bet', parseUsdt(amount)))
  return user
}

/** Puts money into `fees`, as a paid withdrawal does. */
export async function fillFees(table: TestApi, amount: string): Promise<void> {
  const payer = await aUser(table)
  const [wallet, fees, units] = [userAccount(payer.number, 'wallet'), systemAccount('fees'), parseUsdt(amount)]
  await transaction(table.context.db, async (tx) => {
    await fillAccount(tx, payer.number, 'wallet', units)
    const movements = [{ from: wallet, to: fees, amount: units }]
    await post(tx, { kind: 'withdrawal', reference: newId(), movements })
  })
}
