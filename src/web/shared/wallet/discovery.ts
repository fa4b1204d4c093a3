import { useSyncExternalStore } from 'react'

/** What a browser wallet offers (EIP-1193). */
export type Provider = {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): void
}
export type WalletOption = { id: string; name: string; icon: string; provider: Provider }

/** The wallet made in the browser (demo.ts), on the development chain only. */
export const DEMO_WALLET_ID = 'app.wellplay.demo'

/** EIP-6963: wallets announce themselves; the demo wallet does so in the same way. */
type Announcement = CustomEvent<{ info: { rdns: string; name: string; icon: string }; provider: Provider }>

let options: WalletOption[] = []
const listeners = new Set<() => void>()

window.addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = (event as Announcement).detail
  if (options.some(({ id }) => id === info.rdns)) return
  options = [...options, { id: info.rdns, name: info.name, icon: info.icon, provider }]
  for (const listener of listeners) listener()
})
window.dispatchEvent(new Event('eip6963:requestProvider'))

export function useWalletOptions(): WalletOption[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => options,
  )
}

export const findWalletOption = (id: string): WalletOption | undefined => options.find((option) => option.id === id)
