import { type Hex, isHex, recoverMessageAddress } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { AppError } from '../../protocol/errors.ts'
import type { Address } from '../../protocol/ids.ts'
import type { Chain } from './client.ts'

/** How old a sign-in message may be, and how far ahead a wallet's clock may run. */
export const SIGN_IN_MINUTES = 5
const CLOCK_AHEAD_MS = 60_000

type Expectation = { publicUrls: string[]; now: Date }
export type SignInMessage = { address: Address; nonce: string }

const refuse = (why: string) => new AppError('sign_in_refused', why)

/** Checks an EIP-4361 message and its signature (R19). The caller must consume the nonce. */
export async function verifySignIn(
  chain: Chain,
  message: string,
  signature: string,
  expected: Expectation,
): Promise<SignInMessage> {
  const fields = parseSiweMessage(message)
  const { address, nonce } = fields
  if (!address || !nonce) throw refuse('The message is not a sign-in message')
  checkFields(fields, chain.settings.chainId, expected)
  if (!isHex(signature) || signature.length < 132) throw refuse('The signature is incomplete')
  if (!(await isSignedBy(chain, address, message, signature))) throw refuse('The signature does not match the wallet')
  return { address: address.toLowerCase() as Address, nonce }
}

function checkFields(
  fields: ReturnType<typeof parseSiweMessage>,
  chainId: number,
  { publicUrls, now }: Expectation,
): void {
  const origins = publicUrls.map((url) => new URL(url))
  if (!origins.some(({ host }) => host === fields.domain)) throw refuse('The message was made for another site')
  if (!origins.some(({ origin }) => fields.uri === origin || fields.uri?.startsWith(`${origin}/`)))
    throw refuse('The message was made for another address')
  if (fields.version !== '1') throw refuse('The message has an unknown version')
  if (fields.chainId !== chainId) throw refuse('The message was made for another network')
  const issuedMs = fields.issuedAt?.getTime() ?? Number.NaN
  const isFresh = issuedMs <= now.getTime() + CLOCK_AHEAD_MS && issuedMs > now.getTime() - SIGN_IN_MINUTES * 60_000
  if (!isFresh) throw refuse('The message is too old: sign in again, and check your device’s clock')
  if (fields.expirationTime && fields.expirationTime <= now) throw refuse('The message has expired')
  if (fields.notBefore && fields.notBefore > now) throw refuse('The message is not valid yet')
}

/** Tries plain ECDSA first, and a contract wallet on chain (EIP-1271) only if that fails. */
async function isSignedBy({ client }: Chain, address: Hex, message: string, signature: Hex): Promise<boolean> {
  const recovered = await recoverMessageAddress({ message, signature }).catch(() => undefined)
  if (recovered?.toLowerCase() === address.toLowerCase()) return true
  const code = await client.getCode({ address }).catch(() => undefined)
  if (!code) return false
  return client.verifyMessage({ address, message, signature }).catch(() => false)
}
