import { z } from 'zod'
import { fieldWords } from './field-words.ts'

/** The most gas a call from a browser may use. A USDT transfer needs less than 100,000. */
export const RPC_GAS_MAX = 5_000_000n

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'An address is 0x and 40 hex digits')
const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'A hash is 0x and 64 hex digits')
const quantity = z.string().regex(/^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/, 'A number is 0x and hex digits')
const bytes = z.string().regex(/^0x([0-9a-fA-F]{2})*$/, 'Bytes are 0x and pairs of hex digits')
const block = z.union([z.enum(['latest', 'pending', 'safe', 'finalized', 'earliest']), quantity], 'Unknown block')
/** Blocks are returned with the hashes of their transactions only. */
const withTransactions = z.literal(false, 'Whole transactions are not available here')

const call = z.strictObject({
  from: address.optional(),
  to: address,
  data: bytes.optional(),
  input: bytes.optional(),
  value: quantity.optional(),
  gas: quantity.optional(),
  gasPrice: quantity.optional(),
  maxFeePerGas: quantity.optional(),
  maxPriorityFeePerGas: quantity.optional(),
})
export type RpcCall = z.infer<typeof call>

const none = z.tuple([])
// A third parameter would replace the code and balances that the call sees.
const callAtBlock = z.tuple([call, block.optional()])
const addressAtBlock = z.tuple([address, block.optional()])

/**
 * The methods a browser may call on the chain node, and their parameters: reads and sending signed transactions, nothing
 * that administers the node.
 */
const rpcParams = {
  eth_blockNumber: none,
  eth_call: callAtBlock,
  eth_chainId: none,
  eth_estimateGas: callAtBlock,
  eth_feeHistory: z.tuple([quantity, block, z.array(z.number().min(0).max(100)).max(10).optional()]),
  eth_gasPrice: none,
  eth_getBalance: addressAtBlock,
  eth_getBlockByHash: z.tuple([hash, withTransactions]),
  eth_getBlockByNumber: z.tuple([block, withTransactions]),
  eth_getCode: addressAtBlock,
  eth_getTransactionByHash: z.tuple([hash]),
  eth_getTransactionCount: addressAtBlock,
  eth_getTransactionReceipt: z.tuple([hash]),
  eth_maxPriorityFeePerGas: none,
  eth_sendRawTransaction: z.tuple([bytes]),
  net_version: none,
} as const satisfies Record<string, z.ZodType>

type RpcMethod = keyof typeof rpcParams

export const rpcRequest = z
  .strictObject({
    jsonrpc: z.literal('2.0').default('2.0'),
    id: z.union([z.int(), z.string().max(64)]),
    method: z.enum(Object.keys(rpcParams) as RpcMethod[], 'This method is not available here'),
    params: z.array(z.unknown()).max(5).default([]),
  })
  .superRefine(({ method, params }, context) => {
    const problem = rpcParams[method].safeParse(params, { error: fieldWords }).error?.issues[0]
    if (problem)
      context.addIssue({ code: 'custom', path: ['params', ...problem.path], message: `${method}: ${problem.message}` })
  })
export type RpcRequest = z.output<typeof rpcRequest>
