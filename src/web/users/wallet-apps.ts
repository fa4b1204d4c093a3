import { referralCode } from '../../protocol/users.ts'

/**
 * The page to open on another device or in a wallet's own browser. Its local storage is another one, so the invitation is
 * in the address. Text that is no referral code is left out: it cannot change where the link leads.
 */
export function joinPage(origin: string, code: string | undefined): string {
  const known = referralCode.safeParse(code)
  return new URL(known.success ? `/referral/${known.data}` : '/login/register', origin).href
}

export type WalletApp = { name: string; download: string; open: (page: string) => string }

/** In Trust Wallet's list of coins this is BNB Smart Chain (github.com/trustwallet/wallet-core, docs/registry.md). */
const TRUST_BNB_SMART_CHAIN = '20000714'

/**
 * Wallets that open a page in their own browser by a link. Without the app, each link leads to its download page.
 * Binance's wallet has no such link any more: developers.binance.com/en/docs/products/web3-connect/change-log, 2026-10-30.
 */
export const walletApps: WalletApp[] = [
  {
    name: 'MetaMask',
    download: 'https://metamask.io/download',
    // docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks: the page follows without its scheme,
    // and the app adds https.
    open: (page) => `https://link.metamask.io/dapp/${page.replace(/^https?:\/\//, '')}`,
  },
  {
    name: 'Trust Wallet',
    download: 'https://trustwallet.com/download',
    // developer.trustwallet.com/developer/develop-for-trust/deeplinking, "DApp Browser"
    open: (page) =>
      `https://link.trustwallet.com/open_url?${new URLSearchParams({ coin_id: TRUST_BNB_SMART_CHAIN, url: page })}`,
  },
  {
    name: 'OKX Wallet',
    download: 'https://web3.okx.com/download',
    // web3.okx.com/build/docs/waas/app-universal-link: a deep link inside a link, so the page is encoded twice.
    open: (page) =>
      `https://web3.okx.com/download?${new URLSearchParams({
        deeplink: `okx://wallet/dapp/url?${new URLSearchParams({ dappUrl: page })}`,
      })}`,
  },
]
