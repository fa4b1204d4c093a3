import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { vaultAbi } from '../../src/server/chain/vault-abi.ts'
import {
  changes,
  claims,
  exitedUnits,
  held,
  lastRoot,
  leftInWindow,
  limit,
  type Model,
  paidTotal,
  provenSums,
  ZERO,
} from './model.ts'

type Read = (data: Hex) => Promise<Hex>

/** Each figure that the contract shows, computed from the model. */
const figures: Record<string, (m: Model) => unknown> = {
  paused: (m) => m.paused,
  dailyMax: (m) => m.dailyMax,
  singleMax: (m) => m.singleMax,
  paidTotal,
  epoch: (m) => lastRoot(m)?.epoch ?? 0n,
  epochMax: (m) => m.epochMax,
  calledAt: (m) => m.calledAt,
  openedAt: (m) => m.openedAt,
  claims,
  provenSums,
  exitedUnits,
  held,
  leftInWindow,
  limit,
}

const states = [undefined, 'Paid', 'Voided']

/** Every figure that differs between contract and model. */
export async function differences(m: Model, read: Read): Promise<string[]> {
  const found: string[] = []
  const compare = async (functionName: string, args: unknown[], expected: unknown) => {
    const query = { abi: vaultAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0]
    const data = await read(encodeFunctionData(query))
    const shown = textOf(decodeFunctionResult({ ...query, data } as Parameters<typeof decodeFunctionResult>[0]))
    if (shown !== textOf(expected)) found.push(`${functionName}(${args}) is ${shown}, not ${textOf(expected)}`)
  }
  for (const [name, figure] of Object.entries(figures)) await compare(name, [], figure(m))
  for (const [wallet, paid] of m.paid) await compare('paid', [wallet], paid)
  for (const [id, state] of m.ids) await compare('ids', [id], states.indexOf(state))
  for (const [wallet, exit] of m.exits) await compare('exits', [wallet], [true, exit.claim, exit.collected])
  for (const [number, key] of [m.payer, m.publisher, m.guardian, m.owner].entries())
    await compare('keys', [number], key)
  for (const [number, change] of changes.entries()) {
    const { at, to, micro, singleMax } = m.proposals.get(change) ?? { at: 0n, to: ZERO, micro: 0n, singleMax: 0n }
    await compare('proposals', [number], [at, to, micro, singleMax])
  }
  for (const [at, root] of m.line.entries()) {
    await compare('rootAt', [root.epoch], root.hash)
    await compare('roots', [root.hash], [root.total, root.takenAt, root.publishedAt, BigInt(at + 1)])
  }
  return found
}

const textOf = (value: unknown) => String(value).toLowerCase()
