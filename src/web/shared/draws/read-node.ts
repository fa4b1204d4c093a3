import type { InputOf } from '../../../protocol/route.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { call } from '../api/api.ts'

type Method = InputOf<typeof wallet.rpc>['method']

/** One JSON-RPC call to the chain node, through our server. Undefined if the chain could not be read. */
export async function readNode<Result>(method: Method, params: unknown[]): Promise<Result | undefined> {
  try {
    const reply = await call(wallet.rpc, { jsonrpc: '2.0', id: 1, method, params })
    return (reply['result'] as Result | null) ?? undefined
  } catch {
    return undefined
  }
}
