import {
  decodeEventLog,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbiParameters,
} from 'viem'
import { vaultAbi } from '../../src/server/chain/vault-abi.ts'
import { tokenAbi } from './abi.ts'
import { type Chain, createChain } from './chain.ts'
import type { VaultCode } from './contracts.ts'
import { differences } from './figures.ts'
import { type Change, changes, createModel, type Manner, type Model, manners, type Setup } from './model.ts'
import { createHistory, type History, type VaultEvent } from './promises.ts'
import { type Call, isInLastRoot, step } from './rules.ts'
import type { Leaf, Sibling } from './tree.ts'

const address = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`

/** Everybody who calls the vault. The spare keys replace others. */
export const people = {
  owner: address(0x1001),
  guardian: address(0x1002),
  publisher: address(0x1003),
  payer: address(0x1004),
  spareOne: address(0x1005),
  spareTwo: address(0x1006),
  stranger: address(0x1007),
  users: [address(0x2001), address(0x2002), address(0x2003), address(0x2004), address(0x2005)],
}

const START = 1_700_000_000n
const USDT = 1_000_000n
const LIMITS = { dailyMax: 1_000n * USDT, singleMax: 500n * USDT, floor: 10n * USDT }

/** The contract did something else than the model. */
export class Disagreement extends Error {}

/** A vault on a chain of its own. `start` begins a new sequence with an empty vault. */
export type Ground = { setup: Setup; codeBytes: number; chain: Chain; start(): Promise<World>; reset(): Promise<void> }

export type World = {
  model: Model
  history: History
  /** Makes the call on the contract and in the model. They must agree. Returns the error, if it was refused. */
  send(from: Hex, call: Call): Promise<string | undefined>
  /** A plain transfer of tokens to the vault. */
  deposit(micro: bigint): Promise<void>
  pass(seconds: bigint): void
  setManner(manner: Manner): Promise<void>
  setCallBack(call: Call): Promise<void>
  wasCallBackRefused(): Promise<boolean>
  check(leaf: Leaf, siblings: Sibling[]): Promise<boolean>
  balanceOf(holder: Hex): Promise<bigint>
  /** Compares every figure of the contract with the model. */
  compare(): Promise<void>
}

/** Without the model, only the promises judge what the contract does. `others` replaces keys and the floor. */
type Options = { decimals?: number; hasModel?: boolean; others?: Partial<Keys & { floor: bigint }> }
type Keys = Record<'owner' | 'guardian' | 'publisher' | 'payer', Hex>

export async function createGround(
  code: VaultCode,
  { decimals = 18, hasModel = true, others }: Options = {},
): Promise<Ground> {
  const chain = await createChain()
  chain.now = START
  const token = await chain.deploy(code.token, encodeAbiParameters(parseAbiParameters('uint8'), [decimals]))
  const { owner, guardian, publisher, payer } = { ...people, ...others }
  const { dailyMax, singleMax, floor } = { ...LIMITS, ...others }
  const parameters = encodeAbiParameters(parseAbiParameters('address, address[4], uint64, uint64, uint64'), [
    token.address,
    [payer, publisher, guardian, owner],
    dailyMax,
    singleMax,
    floor,
  ])
  const vault = await chain.deploy(code.vault, parameters)
  if (vault.error) throw new Error(vault.error)
  const unit = 10n ** BigInt(decimals - 6)
  const keys = { owner, guardian, publisher, payer }
  const setup = { vault: vault.address, token: token.address, unit, floor, dailyMax, singleMax, ...keys }
  return {
    setup,
    codeBytes: vault.codeBytes,
    chain,
    start: async () => {
      chain.now = START
      await chain.checkpoint()
      return createWorld(chain, setup, hasModel)
    },
    reset: () => chain.revert(),
  }
}

function createWorld(chain: Chain, setup: Setup, hasModel: boolean): World {
  const { vault, token } = setup
  const model = createModel(setup, chain.now)
  const history = createHistory(setup)
  const tokenSend = (data: Hex) => chain.send(people.stranger, token, data)
  const balanceOf = async (holder: Hex) =>
    BigInt(await chain.read(token, encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [holder] })))
  return {
    model,
    history,
    balanceOf,
    send: async (from, call) => {
      const { error, logs } = await chain.send(from, vault, encodeCall(call))
      const expected = step(model, from, call)
      if (hasModel && error !== expected) throw new Disagreement(textOf(call, error, expected))
      if (error === undefined) {
        const events = logs.map((log) => decodeEventLog({ abi: vaultAbi, ...log }) as VaultEvent)
        history.note({ now: chain.now, call, events, balance: await balanceOf(vault) })
      }
      return error
    },
    deposit: async (micro) => {
      await tokenSend(encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [vault, micro * setup.unit] }))
      model.heldUnits += micro * setup.unit
      history.noteDeposit(micro * setup.unit)
    },
    pass: (seconds) => {
      chain.now += seconds
      model.now = chain.now
    },
    setManner: async (manner) => {
      const args = [manners.indexOf(manner)] as const
      await tokenSend(encodeFunctionData({ abi: tokenAbi, functionName: 'setManner', args }))
      model.manner = manner
      if (manner === 'FeeFromSender') history.noteFee()
    },
    setCallBack: async (call) => {
      const args = [vault, encodeCall(call)] as const
      await tokenSend(encodeFunctionData({ abi: tokenAbi, functionName: 'setCall', args }))
    },
    wasCallBackRefused: async () =>
      BigInt(await chain.read(token, encodeFunctionData({ abi: tokenAbi, functionName: 'wasCallRefused' }))) === 1n,
    check: async (leaf, siblings) => {
      const data = encodeFunctionData({ abi: vaultAbi, functionName: 'check', args: [leaf, siblings] })
      const isValid = decodeFunctionResult({
        abi: vaultAbi,
        functionName: 'check',
        data: await chain.read(vault, data),
      })
      if (isValid !== isInLastRoot(model, leaf, siblings)) throw new Disagreement(`check returned ${isValid}`)
      return isValid
    },
    compare: async () => {
      const found = await differences(model, (data) => chain.read(vault, data))
      if (found.length > 0) throw new Disagreement(`the figures differ: ${found.join('; ')}`)
    },
  }
}

/** A change is a number in the contract. */
export const encodeCall = ({ name, args }: Call): Hex =>
  encodeFunctionData({
    abi: vaultAbi,
    functionName: name,
    args: args.map((value) => (isChange(value) ? changes.indexOf(value) : value)),
  } as Parameters<typeof encodeFunctionData>[0])

const isChange = (value: unknown): value is Change => (changes as readonly unknown[]).includes(value)

function textOf({ name, args }: Call, error: string | undefined, expected: string | undefined): string {
  const [contract, model] = [error ?? 'accepted', expected ?? 'accepted']
  return `${name}(${args.map((value) => (typeof value === 'object' ? '…' : value)).join(', ')}): contract ${contract}, model ${model}`
}
