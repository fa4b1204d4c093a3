import { AppError } from '../../protocol/errors.ts'
import type { network } from '../../protocol/network.ts'
import { TOKEN_DECIMALS } from '../chain/client.ts'
import { giveTestMoney } from '../chain/faucet.ts'
import type { Handlers } from '../context.ts'

const RPC_TIMEOUT_MS = 5_000
const networkNames = { development: 'Development chain', 'bsc-testnet': 'BSC Testnet', bsc: 'BNB Smart Chain' } as const

export const handlers: Handlers<typeof network> = {
  info: async ({ config }) => {
    const { chain } = config
    const token = (name: keyof typeof TOKEN_DECIMALS) => ({ address: chain[name], decimals: TOKEN_DECIMALS[name] })
    return {
      status: 'success',
      Msg: 'Network',
      network: config.network,
      network_name: networkNames[config.network],
      chain_id: chain.chainId,
      tokens: { usdt: token('usdt'), jw: token('jw'), jwc: token('jwc') },
      support: chain.support,
      explorer: chain.explorerUrl ?? null,
      faucet: chain.faucetKey !== undefined,
      demo_wallet: config.network === 'development',
    }
  },

  rpc: async ({ config }, input) => {
    try {
      const reply = await fetch(config.chain.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
        signal: AbortSignal.timeout(RPC_TIMEOUT_MS),
      })
      if (!reply.ok) throw new Error(`the node answers ${reply.status}`)
      return (await reply.json()) as { jsonrpc: '2.0'; id: number }
    } catch {
      throw new AppError(
        'chain_unavailable',
        'The chain node does not answer. Nothing was lost: try again.',
        undefined,
        2,
      )
    }
  },

  faucet: async ({ chain }, { wallet_address }) => {
    const transactions = await giveTestMoney(chain, wallet_address)
    return { status: 'success', Msg: 'Test money is in your wallet', transactions }
  },
}
