import type { Address } from '../../../protocol/ids.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { call } from '../api/api.ts'

/** The wallet the user signed in with, ready to sign, and the network it is on. Loads viem, so call it on demand. */
export async function openWallet(address: Address) {
  const [{ reconnectWallet }, info] = await Promise.all([import('./wallet.ts'), call(wallet.chain, {})])
  return { signer: await reconnectWallet(info, address), info }
}
