import { useSyncExternalStore } from 'react'

/** What a browser wallet offers (EIP-1193). */
export type Provider = {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): void
  removeListener?(event: string, listener: (value: unknown) => void): void
}
export type WalletOption = { id: string; name: string; icon: string; provider: Provider }

/** The wallet made in the browser (demo.ts), on the development chain only. */
export const DEMO_WALLET_ID = 'app.wellplay.demo'
/** Another one, which exists once a user wants to change to it. */
export const SECOND_DEMO_WALLET_ID = 'app.wellplay.demo.second'
/** Wallets on other devices (walletconnect.ts), if the operator offers them. */
export const WALLETCONNECT_ID = 'com.walletconnect'

/** Whether the option is a wallet of this browser, and not one of ours. */
export const isBrowserWallet = ({ id }: WalletOption): boolean => !isDemoWallet(id) && id !== WALLETCONNECT_ID

export const isDemoWallet = (id: string): boolean => id === DEMO_WALLET_ID || id === SECOND_DEMO_WALLET_ID

/** EIP-6963: wallets announce themselves; the demo wallet does so in the same way. */
type Announcement = CustomEvent<{ info: { rdns: string; name: string; icon: string }; provider: Provider }>

const INJECTED_ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="10" fill="%23647a70"/%3E%3Crect x="8" y="10" width="16" height="12" rx="3" fill="none" stroke="white" stroke-width="2"/%3E%3Ccircle cx="20" cy="16" r="1.6" fill="white"/%3E%3C/svg%3E'

let announced: WalletOption[] = []
let options: WalletOption[] = []
const listeners = new Set<() => void>()

export function announceWallet(option: WalletOption): void {
  if (announced.some(({ id }) => id === option.id)) return
  announced = [...announced, option]
  update()
}

function update(): void {
  options = [...announced, ...findInjected()]
  for (const listener of listeners) listener()
}

/** Some wallets' own browsers only set `window.ethereum`. It is offered unless a wallet has announced itself. */
function findInjected(): WalletOption[] {
  const { ethereum: provider } = window as { ethereum?: Provider }
  if (!provider?.request || announced.some(isBrowserWallet)) return []
  return [{ id: 'injected', name: "This browser's wallet", icon: INJECTED_ICON, provider }]
}

window.addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = (event as Announcement).detail
  announceWallet({ id: info.rdns, name: info.name, icon: info.icon, provider })
})
// Sent by wallets that set `window.ethereum` after the page has loaded.
window.addEventListener('ethereum#initialized', update)
window.dispatchEvent(new Event('eip6963:requestProvider'))
update()

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
