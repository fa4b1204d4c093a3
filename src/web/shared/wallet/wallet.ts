import { createWalletClient, custom, defineChain, erc20Abi, getAddress, type TypedDataDefinition } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import type { Address } from '../../../protocol/ids.ts'
import { type Usdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import type { users } from '../../../protocol/users.ts'
import type { wallet } from '../../../protocol/wallet.ts'
import { findWalletOption, type WalletOption } from './discovery.ts'
import { isRejection } from './errors.ts'
import { announceOurWallets } from './our-wallets.ts'
import { readSessionWallet, writeSessionWallet } from './session-wallet.ts'

export type NetworkInfo = OutputOf<typeof wallet.chain>
export type Wallet = Awaited<ReturnType<typeof connectWallet>>

const OTHER_ACCOUNT = 'Your wallet is set to another account. Switch back to continue.'

const chainOf = (info: NetworkInfo) =>
  defineChain({
    id: info.chain_id,
    name: info.network_name,
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [`${location.origin}/api/rpc/`] } },
  })

/** Connects to the wallet that the session is to use. */
export async function connectWallet(option: WalletOption, info: NetworkInfo) {
  const wallet = await connectOption(option, info)
  writeSessionWallet(option.id)
  return wallet
}

/** Connects to any wallet. The session keeps the one it uses. */
export async function connectOption(option: WalletOption, info: NetworkInfo) {
  const chain = chainOf(info)
  // No retries: a transaction may have been sent even though the reply is an error, and must not be sent twice.
  const client = createWalletClient({ chain, transport: custom(option.provider, { retryCount: 0 }) })
  const [account] = await client.requestAddresses()
  if (!account) throw new Error('The wallet has no account')
  await switchNetwork(option, info)
  /** The user can change account and network in the wallet at any moment, so this is checked before each request. */
  async function refuseOther(): Promise<void> {
    const [current] = await client.getAddresses()
    if (current !== account) throw new Error(OTHER_ACCOUNT)
    if ((await client.getChainId()) !== chain.id)
      throw new Error(`Your wallet is on another network. Switch it to ${chain.name} to continue.`)
  }
  return {
    address: account.toLowerCase() as Address,
    name: option.name,
    async signMessage(message: string) {
      await refuseOther()
      return client.signMessage({ account, message })
    },
    async signTypedData(data: TypedDataDefinition) {
      await refuseOther()
      return client.signTypedData({ account, ...data })
    },
    /** Sends USDT and returns the hash of the chain transaction without waiting for confirmations. */
    async sendUsdt(to: Address, amount: Usdt) {
      await refuseOther()
      return client.writeContract({
        account,
        address: info.tokens.usdt.address,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [to, amount * WEI_PER_MICRO],
      })
    },
  }
}

/** Asks the wallet to select our network, and to add it first if the wallet does not know it. */
export async function switchNetwork(option: WalletOption, info: NetworkInfo): Promise<void> {
  const chain = chainOf(info)
  const client = createWalletClient({ chain, transport: custom(option.provider, { retryCount: 0 }) })
  try {
    await client.switchChain({ id: chain.id })
  } catch (error) {
    if (isRejection(error)) throw error
    await client.addChain({ chain })
    // EIP-3085 leaves it to the wallet whether it selects the network that it added.
    if ((await client.getChainId()) !== chain.id) await client.switchChain({ id: chain.id })
  }
}

/** Reconnects to the wallet the user signed in with. Refuses it if another account is selected in it. */
export async function reconnectWallet(info: NetworkInfo, expected: Address): Promise<Wallet> {
  await announceOurWallets(info)
  const option = findWalletOption(readSessionWallet())
  if (!option) throw new Error('Your wallet is not available in this browser')
  const wallet = await connectWallet(option, info)
  if (wallet.address !== expected) throw new Error(OTHER_ACCOUNT)
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
