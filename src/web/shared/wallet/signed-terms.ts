import { SIGNATURE_MINUTES, type SignedTerms } from '../../../protocol/wallet-signature.ts'
import { toHex } from '../../../verifier/bytes.ts'
import { serverNowMs } from '../api/server-clock.ts'
import type { NetworkInfo } from './wallet.ts'

/** What a wallet signs besides the request. The deadline is by the server's clock: that of this device may be wrong. */
export function newSignedTerms({ chain_id }: NetworkInfo): SignedTerms {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(16)))
  const seconds = Math.floor(serverNowMs() / 1000) + (SIGNATURE_MINUTES - 1) * 60
  return { nonce, deadline: new Date(seconds * 1000), chainId: chain_id }
}

/** The fields of the request that carry them. */
export const fieldsOf = ({ nonce, deadline }: SignedTerms) => ({ nonce, deadline: deadline.getTime() / 1000 })
