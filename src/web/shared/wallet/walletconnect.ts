import { announceWallet, type Provider, WALLETCONNECT_ID } from './discovery.ts'
import type { NetworkInfo } from './wallet.ts'

const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="10" fill="%233396ff"/%3E%3Cpath d="M9 14c4-4 10-4 14 0M9 14l4 4 3-3 3 3 4-4" fill="none" stroke="white" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/%3E%3C/svg%3E'

/**
 * Offers wallets on other devices through WalletConnect, in the same way as a wallet of this browser. Only if the operator
 * has a project there. Its library is large, so it is loaded by the first request.
 */
export function announceWalletConnect({ walletconnect, chain_id }: NetworkInfo): void {
  if (!walletconnect) return
  let loading: Promise<Provider> | undefined
  const load = () => {
    loading ??= import('./walletconnect-provider.ts').then(({ createProvider }) =>
      createProvider(walletconnect, chain_id),
    )
    // The next request tries again.
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
  const provider: Provider = {
    request: async (call) => (await load()).request(call),
    on: (event, listener) =>
      void load().then(
        (loaded) => loaded.on?.(event, listener),
        () => undefined,
      ),
    removeListener: (event, listener) =>
      void loading?.then(
        (loaded) => loaded.removeListener?.(event, listener),
        () => undefined,
      ),
  }
  announceWallet({ id: WALLETCONNECT_ID, name: 'WalletConnect', icon: ICON, provider })
}
