import type { Hex, TransactionRequest } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { readKey, writeKey } from '../api/key-store.ts'
import { DEMO_WALLET_ID, type Provider, SECOND_DEMO_WALLET_ID } from './discovery.ts'
import { callNode } from './node.ts'

/** Where each one's key is stored in the browser, and what it announces itself as. */
const first = { key: 'demo-wallet', rdns: DEMO_WALLET_ID, name: 'Demo wallet' }
const second = { key: 'second-demo-wallet', rdns: SECOND_DEMO_WALLET_ID, name: 'Second demo wallet' }
const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="10" fill="%231F9D6B"/%3E%3Ccircle cx="16" cy="16" r="8" fill="none" stroke="%23C8F169" stroke-width="3"/%3E%3C/svg%3E'

/**
 * A wallet made in the browser, for the development chain only. It announces itself like any other wallet, so real
 * wallets and this one go through the same code.
 */
export async function announceDemoWallets(chainId: number): Promise<void> {
  await announceDemoWallet(first, chainId)
  if (await readKey<Hex>(second.key)) await announceDemoWallet(second, chainId)
}

/** Makes a second one, to which an account can change its wallet. */
export const announceSecondDemoWallet = (chainId: number): Promise<void> => announceDemoWallet(second, chainId)

async function announceDemoWallet(demo: typeof first, chainId: number): Promise<void> {
  const key = (await readKey<Hex>(demo.key)) ?? generatePrivateKey()
  await writeKey(demo.key, key)
  const provider = createProvider(privateKeyToAccount(key), chainId)
  const info = { uuid: crypto.randomUUID(), rdns: demo.rdns, name: demo.name, icon: ICON }
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

function createProvider(account: PrivateKeyAccount, chainId: number): Provider {
  return {
    async request({ method, params = [] }) {
      const [first, second] = params as [never, never]
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return [account.address]
        case 'wallet_switchEthereumChain':
          return null
        case 'personal_sign':
          return account.signMessage({ message: { raw: first } })
        case 'eth_signTypedData_v4':
          return account.signTypedData(JSON.parse(second))
        case 'eth_sendTransaction':
          return sendTransaction(account, chainId, first)
        default:
          return callNode(method, params)
      }
    },
  }
}

async function sendTransaction(
  account: PrivateKeyAccount,
  chainId: number,
  request: TransactionRequest,
): Promise<unknown> {
  const { to, data, value } = request
  const call = { from: account.address, to, data, ...(value && { value }) }
  const [nonce, gasPrice, gas] = await Promise.all([
    callNode('eth_getTransactionCount', [account.address, 'pending']),
    callNode('eth_gasPrice', []),
    callNode('eth_estimateGas', [call]),
  ])
  const signed = await account.signTransaction({
    type: 'legacy',
    chainId,
    to: to ?? null,
    ...(data && { data }),
    ...(value && { value: BigInt(value) }),
    nonce: Number(nonce),
    gasPrice: BigInt(gasPrice as Hex),
    gas: BigInt(gas as Hex),
  })
  return callNode('eth_sendRawTransaction', [signed])
}
