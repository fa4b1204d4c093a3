import type { Usdt } from '../../protocol/money.ts'
import { createContext } from '../context.ts'
import { systemAccount, userAccount } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import { newId, transaction } from '../platform/db.ts'
import { publish } from '../platform/events.ts'

/**
 * A process that gives a user money and kills itself after the commit, before it sends the event. It reads its settings
 * from the environment. Its argument is the user's number.
 */
const user = Number(process.argv[2])
const { context } = createContext(readConfig(), 'killed-publisher', systemClock, { publishes: true })
while (!context.events.publisher?.isOpen()) await new Promise(setImmediate)
await transaction(context.db, async (tx) => {
  const movement = { from: systemAccount('custody'), to: userAccount(user, 'wallet'), amount: 5_000_000n as Usdt }
  await post(tx, { kind: 'chain_deposit', reference: newId(), movements: [movement] })
  await publish(tx, { topic: 'balance', user })
})
process.kill(process.pid, 'SIGKILL')
