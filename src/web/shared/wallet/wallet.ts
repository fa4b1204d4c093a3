import {
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  erc20Abi,
  getAddress,
  http,
  type PublicClient,
  type TypedDataDefinition,
} from 'viem'
import { createSiweMessage } from 'viem/siwe'
import type { Address } from '../../../protocol/ids.ts'
import { type Usdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import type { users } from '../../../protocol/users.ts'
import type { wallet } from '../../../protocol/wallet.ts'
import { announceDemoWallet } from './demo.ts'
import { findWalletOption, type WalletOption } from './discovery.ts'
import { isRejection } from './errors.ts'

export type NetworkInfo = OutputOf<typeof wallet.chain>
export type Wallet = Awaited<ReturnType<typeof connectWallet>>

/** Local storage key of the wallet used last, so that a reload can reconnect to it. */
const LAST_WALLET = 'wallet'

const chainOf = (info: NetworkInfo) =>
  defineChain({
    id: info.chain_id,
    name: info.network_name,
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [`${location.origin}/api/rpc/`] } },
  })

/** Reads the chain through our server: pages may not connect to any other host. Callers do their own retries. */
export const chainReader = (info: NetworkInfo): PublicClient =>
  createPublicClient({ chain: chainOf(info), transport: http(`${location.origin}/api/rpc/`, { retryCount: 0 }) })

export async function connectWallet(option: WalletOption, info: NetworkInfo) {
  const chain = chainOf(info)
  // No retries: a transaction may have been sent even though the reply is an error, and must not be sent twice.
  const client = createWalletClient({ chain, transport: custom(option.provider, { retryCount: 0 }) })
  const [account] = await client.requestAddresses()
  if (!account) throw new Error('The wallet has no account')
  await client.switchChain({ id: chain.id }).catch(async (error) => {
    if (isRejection(error)) throw error
    await client.addChain({ chain })
  })
  localStorage.setItem(LAST_WALLET, option.id)
  return {
    address: account.toLowerCase() as Address,
    name: option.name,
    signMessage: (message: string) => client.signMessage({ account, message }),
    signTypedData: (data: TypedDataDefinition) => client.signTypedData({ account, ...data }),
    /** Sends USDT and returns the hash of the chain transaction without waiting for confirmations. */
    sendUsdt: (to: Address, amount: Usdt) =>
      client.writeContract({
        account,
        address: info.tokens.usdt.address,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [to, amount * WEI_PER_MICRO],
      }),
  }
}

/** Reconnects to the wallet the user signed in with. Refuses it if another account is selected in it. */
export async function reconnectWallet(info: NetworkInfo, expected: Address): Promise<Wallet> {
  if (info.demo_wallet) await announceDemoWallet(info.chain_id)
  const option = findWalletOption(localStorage.getItem(LAST_WALLET) ?? '')
  if (!option) throw new Error('Your wallet is not available in this browser')
  const wallet = await connectWallet(option, info)
  if (wallet.address !== expected) throw new Error('Your wallet is set to another account. Switch back to continue.')
  return wallet
}

/** The EIP-4361 message to sign for this site. */
export function signInMessage(address: Address, fields: OutputOf<typeof users.nonce>): string {
  return createSiweMessage({
    address: getAddress(address),
    domain: location.host,
    uri: location.origin,
    version: fields.version,
    chainId: fields.chain_id,
    nonce: fields.nonce,
    issuedAt: fields.issued_at,
    expirationTime: fields.expiration_time,
    statement: fields.statement,
  })
}
