import { AppError } from '../../../protocol/errors.ts'
import { RPC_GAS_MAX, type RpcCall, type RpcRequest } from '../../../protocol/wallet-rpc.ts'
import { withNode } from '../../chain/deposits/prove.ts'
import type { Context } from '../../context.ts'
import type { Config } from '../../platform/config.ts'
import { createGate, type Gate } from '../../platform/gate.ts'

const TIMEOUT_MS = 5_000
const QUEUE = { inFlightMax: 8, waitingPerCallerMax: 50, waitingMax: 200, waitingMsMax: 5_000 }

/** One queue per process. It belongs to the configuration, which exists once per process. */
const gates = new WeakMap<Config, Gate>()

/** Sends an allowed request of a browser to the public chain node. */
export async function callPublicNode({ config }: Context, caller: string, request: RpcRequest) {
  const { publicRpcUrl } = config
  if (!publicRpcUrl) throw new AppError('chain_unavailable', 'There is no chain node for browsers here')
  const gate = gates.get(config) ?? createGate(QUEUE)
  gates.set(config, gate)
  // A call waits so long only if the node does not answer those before it. So it says the same as they do.
  return withNode(() =>
    gate(caller, async () => {
      const reply = await fetch(publicRpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        // A node may refuse the caller's id, such as half of a surrogate pair, and then reply without one.
        body: JSON.stringify({ ...withGasLimit(request), id: 1 }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!reply.ok) throw new Error(`the node returned HTTP ${reply.status}`)
      return { ...((await reply.json()) as { jsonrpc: '2.0' }), id: request.id }
    }),
  )
}

/** Without a gas limit a node runs a call for as long as its own limit allows; with a huge one, without end. */
function withGasLimit(request: RpcRequest): RpcRequest {
  if (request.method !== 'eth_call' && request.method !== 'eth_estimateGas') return request
  const [call, ...rest] = request.params as [RpcCall, ...unknown[]]
  if (call.gas !== undefined && BigInt(call.gas) <= RPC_GAS_MAX) return request
  return { ...request, params: [{ ...call, gas: `0x${RPC_GAS_MAX.toString(16)}` }, ...rest] }
}
