import { privateKeyToAccount } from 'viem/accounts'
import type { Address } from '../../protocol/ids.ts'
import type { Chain } from './client.ts'

export const addressOf = (key: `0x${string}` | undefined): Address | undefined =>
  key && (privateKeyToAccount(key).address.toLowerCase() as Address)

// Only one process has each key. The others get its address as a setting.
export const findHotWallet = ({ settings }: Chain): Address | undefined =>
  settings.hotWallet ?? addressOf(settings.hotWalletKey)
export const findFaucet = ({ settings }: Chain): Address | undefined => settings.faucet ?? addressOf(settings.faucetKey)

/** The address that payouts come from. */
export function getHotWallet(chain: Chain): Address {
  const address = findHotWallet(chain)
  if (!address) throw new Error('Neither HOT_WALLET_ADDRESS nor HOT_WALLET_KEY is set')
  return address
}
