import type { EVMOpts } from '@ethereumjs/evm'
import { Account, type Address } from '@ethereumjs/util'

type StateManager = NonNullable<EVMOpts['stateManager']>
type Undo = () => void

/**
 * The EVM's accounts, code and storage in plain maps. A checkpoint is a position in a list of undo steps, so it costs
 * nothing. The package's own state manager copies all maps at each checkpoint, which took most of the time.
 */
export function createState(): StateManager {
  const accounts = new Map<string, Account>()
  const codes = new Map<string, Uint8Array>()
  const storage = new Map<string, Uint8Array>()
  const originals = new Map<string, Uint8Array>()
  const undos: Undo[] = []
  const checkpoints: number[] = []

  function put<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
    const before = map.get(key)
    undos.push(() => set(map, key, before))
    set(map, key, value)
  }
  const read = (key: string) => storage.get(key) ?? EMPTY
  const unsupported = (): never => {
    throw new Error('this state has no root')
  }
  const state: StateManager = {
    getAccount: async (address) => copyOf(accounts.get(textOf(address.bytes))),
    putAccount: async (address, account) => put(accounts, textOf(address.bytes), copyOf(account)),
    deleteAccount: async (address) => put(accounts, textOf(address.bytes), undefined),
    modifyAccountFields: async (address, fields) => {
      const account = copyOf(accounts.get(textOf(address.bytes))) ?? new Account()
      put(accounts, textOf(address.bytes), Object.assign(account, fields))
    },
    putCode: async (address, code) => put(codes, textOf(address.bytes), code),
    getCode: async (address) => codes.get(textOf(address.bytes)) ?? EMPTY,
    getCodeSize: async (address) => codes.get(textOf(address.bytes))?.length ?? 0,
    getStorage: async (address, key) => read(slotOf(address, key)),
    putStorage: async (address, key, value) => put(storage, slotOf(address, key), value),
    clearStorage: async () => undefined,
    checkpoint: async () => void checkpoints.push(undos.length),
    commit: async () => void checkpoints.pop(),
    revert: async () => {
      const length = checkpoints.pop() ?? 0
      while (undos.length > length) undos.pop()?.()
    },
    originalStorageCache: {
      get: async (address, key) => {
        const slot = slotOf(address, key)
        const value = originals.get(slot) ?? read(slot)
        originals.set(slot, value)
        return value
      },
      clear: () => originals.clear(),
    },
    getStateRoot: unsupported,
    setStateRoot: unsupported,
    hasStateRoot: unsupported,
    shallowCopy: unsupported,
    clearCaches: () => undefined,
  }
  return state
}

const EMPTY = new Uint8Array(0)

/** One character per byte: the fastest way to a key for a map. */
const textOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
const slotOf = (address: Address, key: Uint8Array) => textOf(address.bytes) + textOf(key)

/** The EVM changes the accounts it reads, so it gets copies. */
const copyOf = (account: Account | undefined) =>
  account && Object.assign(Object.create(Object.getPrototypeOf(account)) as Account, account)

function set<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}
