import { z } from 'zod'

/** How long a signed request is valid. */
export const SIGNATURE_MINUTES = 15

/** The fields of a request that the user's wallet signs (EIP-712, R11). The nonce is 16 random bytes, valid once. */
export const walletSignature = {
  nonce: z.string().regex(/^[0-9a-f]{32}$/, 'The nonce must be 16 bytes in hex'),
  deadline: z
    .int()
    .min(0)
    .max(32_503_680_000)
    .meta({ description: `Unix time in seconds, at most ${SIGNATURE_MINUTES} minutes ahead` }),
  signature: z
    .string()
    .regex(/^0x[0-9a-fA-F]+$/, 'The signature must be hex')
    .max(4_000),
}

/** What the signature covers besides the request itself. */
export type SignedTerms = { nonce: string; deadline: Date; chainId: number }

export const unixSeconds = (date: Date): bigint => BigInt(Math.floor(date.getTime() / 1000))
