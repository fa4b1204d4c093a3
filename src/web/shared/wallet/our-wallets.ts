import { announceDemoWallets } from './demo.ts'
import type { NetworkInfo } from './wallet.ts'
import { announceWalletConnect } from './walletconnect.ts'

/** Offers the wallets that the browser does not have itself, as far as this network has them. */
export async function announceOurWallets(info: NetworkInfo): Promise<void> {
  announceWalletConnect(info)
  if (info.demo_wallet) await announceDemoWallets(info.chain_id)
}
