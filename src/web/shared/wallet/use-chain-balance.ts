import { useQuery } from '@tanstack/react-query'
import type { Address } from '../../../protocol/ids.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { call } from '../api/api.ts'
import { queries } from '../api/queries.tsx'
import { type ChainToken, readChainBalance } from './balances.ts'

const REREAD_MS = 15_000
/** Used while the node cannot be reached. */
const RETRY_MS = 4_000

/** A wallet's balance of one token on chain, read through our server. No data while the chain cannot be read. */
export function useChainBalance(token: ChainToken, address: Address) {
  return useQuery({
    queryKey: ['chain-balance', token, address],
    queryFn: async () => readChainBalance(await readNetwork(), address, token),
    retry: false,
    // Offline it fails at once, so that the balance is shown as unknown and not as loading.
    networkMode: 'always',
    refetchInterval: ({ state }) => (state.data ? REREAD_MS : RETRY_MS),
  })
}

/** From the query cache: the network does not change. */
const readNetwork = () =>
  queries.ensureQueryData({ queryKey: [wallet.chain.path, {}], queryFn: () => call(wallet.chain, {}) })
