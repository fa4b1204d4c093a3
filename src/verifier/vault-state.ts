import { addressWord, callData, numberWord, replyWords } from './vault-calls.ts'

/** One JSON-RPC call, by a wallet (EIP-1193) or a node. */
export type EthRequest = (call: { method: string; params?: unknown }) => Promise<unknown>

/** The vault at one block. Amounts are micro-USDT, times are seconds. A time is 0 if it has not come. */
export type VaultState = {
  block: bigint
  /** The time of that block. */
  now: bigint
  held: bigint
  /** What left in this hour and the 24 before it, and the most that may. */
  left: bigint
  limit: bigint
  /** The last root that is not struck. Epoch 0 means that there is none. */
  epoch: bigint
  root: string
  total: bigint
  takenAt: bigint
  publishedAt: bigint
  isPaused: boolean
  calledAt: bigint
  openedAt: bigint
  /** Token units in one micro-USDT. */
  unit: bigint
}

/** What the contract waits for: after this long without a root anybody may give notice, and then exits open. */
export const NOTICE_AFTER_SECONDS = 6n * 86_400n
export const OPEN_AFTER_SECONDS = 86_400n

/** Reads everything at one block, so that the figures belong together. */
export async function readVaultState(request: EthRequest, vault: string): Promise<VaultState> {
  const latest = await request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  const { number, timestamp } = latest as { number: string; timestamp: string }
  const read = async (data: string, count = 1) =>
    replyWords(await request({ method: 'eth_call', params: [{ to: vault, data }, number] }), count)
  const readOne = async (name: string): Promise<bigint> => (await read(callData(`${name}()`)))[0] ?? 0n
  const [held, left, limit, epoch, paused, calledAt, openedAt, unit] = await Promise.all([
    readOne('held'),
    readOne('leftInWindow'),
    readOne('limit'),
    readOne('epoch'),
    readOne('paused'),
    readOne('calledAt'),
    readOne('openedAt'),
    readOne('unit'),
  ])
  const [root = 0n] = await read(callData('rootAt(uint64)', numberWord(epoch)))
  const last = await read(callData('roots(bytes32)', numberWord(root)), 3)
  const [total, takenAt, publishedAt] = last as [bigint, bigint, bigint]
  return {
    ...{ block: BigInt(number), now: BigInt(timestamp), held, left, limit, epoch, total, takenAt, publishedAt },
    root: root.toString(16).padStart(64, '0'),
    isPaused: paused !== 0n,
    ...{ calledAt, openedAt, unit },
  }
}

/** What a wallet was paid by payouts and by exits. `collected` is in token units. */
export type WalletState = { paid: bigint; isProven: boolean; claim: bigint; collected: bigint }

export async function readWalletState(request: EthRequest, vault: string, wallet: Uint8Array): Promise<WalletState> {
  const read = async (signature: string, count: number) => {
    const data = callData(signature, addressWord(wallet))
    return replyWords(await request({ method: 'eth_call', params: [{ to: vault, data }, 'latest'] }), count)
  }
  const [[paid = 0n], [isProven, claim = 0n, collected = 0n]] = await Promise.all([
    read('paid(address)', 1),
    read('exits(address)', 3),
  ])
  return { paid, isProven: isProven !== 0n, claim, collected }
}

/** What has to happen next, if no more roots come, until users can exit. */
export type ExitStep = 'wait for notice' | 'give notice' | 'wait for opening' | 'open' | 'exit'

export function exitStepOf({ now, takenAt, calledAt, openedAt }: VaultState): ExitStep {
  if (openedAt !== 0n) return 'exit'
  if (calledAt !== 0n) return now < calledAt + OPEN_AFTER_SECONDS ? 'wait for opening' : 'open'
  return now < takenAt + NOTICE_AFTER_SECONDS ? 'wait for notice' : 'give notice'
}

/** The earliest time at which exits can open if no more roots come. */
export function exitsOpenFrom({ now, takenAt, calledAt, openedAt }: VaultState): bigint {
  if (openedAt !== 0n) return openedAt
  if (calledAt !== 0n) return calledAt + OPEN_AFTER_SECONDS
  const noticeAt = takenAt + NOTICE_AFTER_SECONDS
  return (noticeAt > now ? noticeAt : now) + OPEN_AFTER_SECONDS
}
