import { useEffect, useState } from 'react'
import type { Provider } from './discovery.ts'

/** What a wallet is set to. Undefined: locked, not connected to this site, or not known yet. */
export type WalletState = { address: string | undefined; chainId: number | undefined }

const unknown: WalletState = { address: undefined, chainId: undefined }

/** Follows account and network of a wallet (EIP-1193). It shows no request to the user. */
export function useWalletState(provider: Provider | undefined): WalletState {
  const [state, setState] = useState(unknown)
  useEffect(() => {
    if (!provider) return
    const change = (part: Partial<WalletState>) => setState((before) => ({ ...before, ...part }))
    const onAccounts = (accounts: unknown) => change({ address: addressOf(accounts) })
    const onChain = (chainId: unknown) => change({ chainId: chainIdOf(chainId) })
    const ask = (method: string) => provider.request({ method }).catch(() => undefined)
    // Also when the user comes back from the wallet's app, because some wallets send no event to a page in the background.
    const read = () => void Promise.all([ask('eth_accounts').then(onAccounts), ask('eth_chainId').then(onChain)])
    read()
    provider.on?.('accountsChanged', onAccounts)
    provider.on?.('chainChanged', onChain)
    addEventListener('focus', read)
    return () => {
      provider.removeListener?.('accountsChanged', onAccounts)
      provider.removeListener?.('chainChanged', onChain)
      removeEventListener('focus', read)
      setState(unknown)
    }
  }, [provider])
  return state
}

/** Wallets are not ours, so what they send is checked. */
function addressOf(accounts: unknown): string | undefined {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first) ? first.toLowerCase() : undefined
}

function chainIdOf(value: unknown): number | undefined {
  const id = Number(value)
  return value && Number.isSafeInteger(id) && id > 0 ? id : undefined
}
