import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { wallet } from '../../protocol/wallet.ts'
import { findRootBlock, type RootBlock } from '../../verifier/root-block.ts'
import { type EthRequest, readVaultState, type VaultState } from '../../verifier/vault-state.ts'
import { call } from '../shared/api/api.ts'
import { isBrowserWallet, useWalletOptions, type WalletOption } from '../shared/wallet/discovery.ts'

const REREAD_MS = 30_000
/** A locked wallet may never answer. */
const WALLET_MS_MAX = 5_000

/** The vault, and through what it was read. `wallet` is the name of the visitor's wallet; null means our server. */
export type VaultReading = { state: VaultState; rootBlock: RootBlock | undefined; wallet: string | null }

/** Reads the vault through the visitor's own wallet if there is one on the right chain, and otherwise through ours. */
export function useVault(rootTransactions: string[]) {
  // The others read through our server, so they prove nothing more.
  const options = useWalletOptions().filter(isBrowserWallet)
  return useQuery({
    queryKey: ['vault', options.map(({ id }) => id).join(), rootTransactions.join()],
    queryFn: () => readVault(options, rootTransactions),
    placeholderData: keepPreviousData,
    refetchInterval: REREAD_MS,
    retry: false,
  })
}

async function readVault(options: WalletOption[], rootTransactions: string[]): Promise<VaultReading> {
  const { chain_id, support } = await call(wallet.chain, {})
  const readThrough = async (request: EthRequest) => {
    const state = await readVaultState(request, support)
    return { state, rootBlock: await findRootBlock(request, support, state, rootTransactions) }
  }
  for (const { name, provider } of options) {
    const request: EthRequest = (asked) => provider.request(asked)
    // Reading needs no permission, so the wallet does not open.
    const read = async () => {
      const isSameChain = Number(await request({ method: 'eth_chainId' })) === chain_id
      return isSameChain ? readThrough(request) : undefined
    }
    const reading = await soon(read()).catch(() => undefined)
    if (reading) return { ...reading, wallet: name }
  }
  return { ...(await readThrough(ourNode)), wallet: null }
}

function soon<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the wallet does not answer')), WALLET_MS_MAX)
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}

let lastId = 0
const ourNode: EthRequest = async ({ method, params }) => {
  const reply = await call(wallet.rpc, { jsonrpc: '2.0', id: ++lastId, method, params } as never)
  if ('error' in reply) throw new Error('the node refused a call')
  return (reply as { result?: unknown }).result
}
