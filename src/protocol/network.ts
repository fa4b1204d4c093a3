import { z } from 'zod'
import { address } from './ids.ts'
import { nothing, route, success } from './route.ts'

const token = z.strictObject({ address, decimals: z.int() })

/** Methods a browser may use on the chain node: reads and the sending of signed transactions, nothing that administers it. */
export const RPC_METHODS = [
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'net_version',
] as const

export const network = {
  info: route({
    method: 'GET',
    path: '/chain/',
    summary: 'The network, its tokens and the address that receives deposits',
    auth: 'none',
    input: nothing,
    output: success({
      network: z.enum(['development', 'bsc-testnet', 'bsc']),
      network_name: z.string(),
      chain_id: z.int(),
      tokens: z.strictObject({ usdt: token, jw: token, jwc: token }),
      support: address,
      explorer: z.string().nullable(),
      faucet: z.boolean(),
      demo_wallet: z.boolean(),
    }),
  }),
  rpc: route({
    method: 'POST',
    path: '/rpc/',
    summary: 'Allow-listed read and send methods of the chain node (JSON-RPC)',
    auth: 'none',
    limit: 'play',
    input: z.strictObject({
      jsonrpc: z.literal('2.0').default('2.0'),
      id: z.union([z.int(), z.string().max(64)]),
      method: z.enum(RPC_METHODS, 'This method is not available here'),
      params: z.array(z.unknown()).max(5).default([]),
    }),
    output: z.looseObject({ jsonrpc: z.literal('2.0'), id: z.union([z.int(), z.string()]) }),
    errors: ['chain_unavailable'],
  }),
  faucet: route({
    method: 'POST',
    path: '/dev/faucet/',
    summary: 'Test BNB, USDT, JW and JWC (development network only)',
    auth: 'none',
    limit: 'auth',
    input: z.strictObject({ wallet_address: address }),
    output: success({ transactions: z.array(z.string()) }),
    errors: ['not_found', 'chain_unavailable'],
  }),
}
