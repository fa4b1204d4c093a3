import { createEVM, type EVMRunCallOpts } from '@ethereumjs/evm'
import { type Address, bytesToHex, createAddressFromString, createZeroAddress, hexToBytes } from '@ethereumjs/util'
import { decodeErrorResult, type Hex } from 'viem'
import { vaultAbi } from '../../src/server/chain/vault-abi.ts'
import { createState } from './state.ts'

const SHA256_PRECOMPILE = `0x${'2'.padStart(40, '0')}` as const
const TRANSACTION_GAS = 21_000n
const GAS_LIMIT = 30_000_000n

type Log = { data: Hex; topics: [Hex, ...Hex[]] }
/** `error` is the name of the custom error that reverted the call. */
type Result = { error: string | undefined; returned: Hex; logs: Log[]; gas: bigint }

export type Chain = {
  /** Seconds. Tests set it. */
  now: bigint
  deploy(code: Hex, parameters: Hex): Promise<{ address: Hex; error: string | undefined; codeBytes: number }>
  send(from: Hex, to: Hex, data: Hex): Promise<Result>
  /** A call that cannot change anything. */
  read(to: Hex, data: Hex): Promise<Hex>
  checkpoint(): Promise<void>
  /** Goes back to the last checkpoint. */
  revert(): Promise<void>
}

/** A chain in this process: real EVM code, no blocks, no signatures. */
export async function createChain(): Promise<Chain> {
  const state = createState()
  // Planted bugs are compiled without the optimizer, which makes them larger than a chain allows.
  const evm = await createEVM({ stateManager: state, customOpcodes: [rememberJumps], allowUnlimitedContractSize: true })
  await evm.runCode({ code: Uint8Array.of(rememberJumps.opcode) })
  const header = { ...EMPTY_HEADER, timestamp: 0n }
  const run = async (options: EVMRunCallOpts) => {
    header.timestamp = chain.now
    evm.journal.cleanJournal()
    state.originalStorageCache.clear()
    return evm.runCall({ ...options, block: { header }, gasLimit: GAS_LIMIT, skipBalance: true })
  }
  const chain: Chain = {
    now: 0n,
    deploy: async (code, parameters) => {
      const data = hexToBytes(`${code}${parameters.slice(2)}`)
      const { execResult, createdAddress } = await run({ caller: addressOf(DEPLOYER), data })
      const error = execResult.exceptionError && errorOf(execResult.returnValue)
      const address = createdAddress ?? createZeroAddress()
      return { address: address.toString(), error, codeBytes: (await state.getCode(address)).length }
    },
    send: async (from, to, data) => {
      const bytes = hexToBytes(data)
      const caller = addressOf(from)
      for (const warm of [from, to, SHA256_PRECOMPILE]) evm.journal.addAlwaysWarmAddress(warm)
      const { execResult } = await run({ caller, origin: caller, to: addressOf(to), data: bytes })
      const { exceptionError, returnValue, executionGasUsed, gasRefund = 0n, logs = [] } = execResult
      return {
        error: exceptionError && errorOf(returnValue),
        returned: bytesToHex(returnValue),
        logs: exceptionError ? [] : logs.map(([, topics, log]) => ({ data: bytesToHex(log), topics: hexList(topics) })),
        gas: transactionGas(bytes, executionGasUsed, gasRefund),
      }
    },
    read: async (to, data) => {
      const { execResult } = await run({ to: addressOf(to), data: hexToBytes(data), isStatic: true })
      if (execResult.exceptionError) throw new Error(`a read failed: ${errorOf(execResult.returnValue)}`)
      return bytesToHex(execResult.returnValue)
    },
    checkpoint: () => state.checkpoint(),
    revert: () => state.revert(),
  }
  return chain
}

const jumpsByCode = new WeakMap<Uint8Array, object>()

type Interpreter = { _getValidJumpDestinations(code: Uint8Array): object }

/**
 * The EVM finds the jump targets of a contract again for each call, which took most of the time. Its interpreter is not
 * exported, so an extra opcode, run once, gives access to it and makes it remember the targets of each code.
 */
const rememberJumps = {
  opcode: 0xb0,
  opcodeName: 'REMEMBER_JUMPS',
  baseFee: 0,
  logicFunction: ({ interpreter }: { interpreter: object }) => {
    const find = (Object.getPrototypeOf(interpreter) as Interpreter)._getValidJumpDestinations
    if (find.name === 'recall') return
    Object.getPrototypeOf(interpreter)._getValidJumpDestinations = function recall(code: Uint8Array) {
      const jumps = jumpsByCode.get(code) ?? find.call(this, code)
      jumpsByCode.set(code, jumps)
      return jumps
    }
  },
}

const DEPLOYER = `0x${'de'.repeat(20)}` as const
const EMPTY_HEADER = {
  number: 1n,
  coinbase: createZeroAddress(),
  difficulty: 0n,
  prevRandao: new Uint8Array(32),
  gasLimit: GAS_LIMIT,
  baseFeePerGas: 0n,
  slotNumber: 0n,
  getBlobGasPrice: () => 0n,
}

const errorNames = new Map<Hex, string>()

/** Decoding is slow, and there are few errors. */
function errorOf(returned: Uint8Array): string {
  const selector = bytesToHex(returned.subarray(0, 4))
  const name = errorNames.get(selector) ?? decodeErrorResult({ abi: vaultAbi, data: bytesToHex(returned) }).errorName
  errorNames.set(selector, name)
  return name
}

const hexList = (topics: Uint8Array[]) => topics.map((topic) => bytesToHex(topic)) as Log['topics']

/** What the sender of a real transaction pays: the fixed part, the bytes, the execution, less the refund. */
function transactionGas(data: Uint8Array, execution: bigint, refund: bigint): bigint {
  const bytes = data.reduce((gas, byte) => gas + (byte === 0 ? 4n : 16n), 0n)
  const used = TRANSACTION_GAS + bytes + execution
  return used - (refund < used / 5n ? refund : used / 5n)
}

const addresses = new Map<Hex, Address>()
function addressOf(hex: Hex): Address {
  const known = addresses.get(hex) ?? createAddressFromString(hex)
  addresses.set(hex, known)
  return known
}
