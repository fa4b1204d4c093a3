import { setTimeout as sleep } from 'node:timers/promises'
import { formatUsdt, micro } from '../../src/protocol/money.ts'
import { signedWithdrawal, signTransfer, type TestUser } from '../../src/server/testing/payments.ts'
import type { Call, Outcome } from './client.ts'
import type { Person } from './people.ts'
import type { Scene } from './scene.ts'
import type { Planned } from './schedule.ts'

/** How a call is sent: once, with a lost reply, or many times at once. */
export type Manner = { loseAfterMs?: number; times?: number }

/** Runs the planned operation and records the client's outcome. */
export async function operate(world: Scene, planned: Planned, { loseAfterMs, times = 1 }: Manner = {}): Promise<void> {
  const { model, client } = world
  const person = personAt(world, planned.user)
  const amount = model.nextAmount(planned.kind)
  if (planned.kind === 'deposit') return await deposit(world, person, amount)
  const call = await callOf(world, person, planned, amount)
  const answers = await Promise.all(Array.from({ length: times }, () => client.ask(call, loseAfterMs)))
  model.note({
    kind: planned.kind,
    userNumber: person.number,
    amount,
    outcome: together(answers.map((a) => a.outcome)),
  })
}

/** The outcome of identical calls: done if any of them succeeded. */
export function together(outcomes: Outcome[]): Outcome {
  if (outcomes.includes('done')) return 'done'
  return outcomes.includes('unknown') ? 'unknown' : 'refused'
}

export function personAt({ people }: Scene, at: number): Person {
  const person = people[at]
  if (!person) throw new Error(`there is no person ${at}`)
  return person
}

export async function callOf(world: Scene, person: Person, planned: Planned, amount: bigint): Promise<Call> {
  const { token } = person
  const [text, key] = [formatUsdt(micro(amount)), `fault-${planned.kind}-${amount}`]
  const wallet = (direction: 'deposit' | 'withdraw') => ({
    path: '/betwallet/',
    body: { direction, amount: text, source: 'wallet', trans_hash: `internal${key}` },
    token,
  })
  switch (planned.kind) {
    case 'transfer': {
      const order = { to_user: personAt(world, planned.other).username, amount: text, source: 'wallet' } as const
      return { path: '/internal_transfer/', body: { ...order, ...(await signTransfer(person, order)) }, token, key }
    }
    case 'withdraw':
      return { path: '/withdraw_request/', body: await signedWithdrawal(person as TestUser, text), token, key }
    case 'bet-in':
      return wallet('deposit')
    case 'bet-out':
      return wallet('withdraw')
    case 'bet':
      return { path: '/place-bet/', body: { amount: text, color: planned.draw % 2 ? 'green' : 'red' }, token, key }
    default:
      return { path: '/gamebuyplan/', body: purchase(world, person, text, key), token }
  }
}

const purchase = ({ settings }: Scene, person: Person, amount: string, key: string) => ({
  usdt_amount: amount,
  from_address: person.wallet_address,
  to_address: settings.VAULT_ADDRESS,
  trans_hash: `internal${key.replaceAll('-', '')}`,
  package_type: 1,
})

/** Sends USDT on chain and usually reports it. It counts if it stays on chain, whatever the reply is. */
async function deposit(world: Scene, person: Person, amount: bigint): Promise<void> {
  const { chain, client, model } = world
  const txHash = await chain.pay(person.wallet.privateKey, micro(amount)).catch(() => undefined)
  if (!txHash) return
  model.note({ kind: 'deposit', userNumber: person.number, amount, outcome: 'unknown', txHash })
  const body = { trans_hash: txHash, amount: formatUsdt(micro(amount)) }
  if (amount % 3n > 0n)
    await Promise.race([client.ask({ path: '/wallet_deposit/', body, token: person.token }), sleep(2_000)])
}
