import { z } from 'zod'
import { address, userId } from './ids.ts'
import { nothing, route, success } from './route.ts'
import { instant } from './time.ts'
import { walletChanges } from './wallet-changes.ts'

export const USERNAME_CHARS = { min: 3, max: 20 }
export const REFERRAL_CODE_CHARS = 8

/** The account `deleted_<number>` belonged to a user who is gone. No other user can have such a name. */
export const isDeleted = (name: string): boolean => /^deleted_\d+$/.test(name)

export const shownName = (name: string): string => (isDeleted(name) ? 'Deleted user' : name)

export const username = z
  .string()
  .regex(
    new RegExp(`^[a-z0-9_]{${USERNAME_CHARS.min},${USERNAME_CHARS.max}}$`),
    `Use ${USERNAME_CHARS.min} to ${USERNAME_CHARS.max} characters: a–z, 0–9 and _`,
  )

/** Letters and digits; case does not matter. */
export const referralCode = z.codec(
  z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9]{${REFERRAL_CODE_CHARS}}$`),
      `A referral code has ${REFERRAL_CODE_CHARS} letters and digits`,
    ),
  z.string(),
  { decode: (text) => text.toUpperCase(), encode: (code) => code },
)

/** What the browser keeps in local storage under `user`. */
const storedUser = {
  token: z.string(),
  id: userId,
  wallet_address: address,
  username,
  level: z.int(),
}

/** Drawings that users can choose as avatar, instead of the first letter of their name. */
const avatar = z.enum(['leaf', 'sun', 'wave', 'peak', 'moon', 'flame', 'flower', 'star', 'fish', 'bird', 'cat', 'tree'])
export type AvatarName = z.output<typeof avatar>

/** 32 bytes in base64url. The last character has only four bits of data, so each value has exactly one encoding. */
const coordinate = z.string().regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, 'A coordinate is 32 bytes in base64url')

/**
 * The public key a session is bound to (R5): any EC P-256 JWK. Other members, such as `alg` or `kid`, are ignored
 * (RFC 7517), so a key exported by a library can be sent unchanged.
 */
const proofKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
  d: z.never('Send the public key only: d is the private part').exactOptional(),
})
export type ProofKey = z.infer<typeof proofKey>

/** Level n needs 100 × n² experience points. */
export const levelOf = (points: bigint | number): number => Math.floor(Math.sqrt(Number(points) / 100))
export const pointsForLevel = (level: number): number => 100 * level * level

const signed = {
  message: z.string().min(1).max(2_000),
  signature: z
    .string()
    .regex(/^0x[0-9a-fA-F]+$/)
    .max(4_000),
}

export const users = {
  nonce: route({
    method: 'POST',
    path: '/auth/nonce/',
    summary: 'A one-time nonce and the fields of the sign-in message (EIP-4361)',
    auth: 'none',
    limit: 'auth',
    input: z.strictObject({ wallet_address: address }),
    output: success({
      nonce: z.string(),
      domain: z.string(),
      uri: z.string(),
      statement: z.string(),
      version: z.literal('1'),
      chain_id: z.int(),
      issued_at: instant,
      expiration_time: instant,
    }),
  }),
  register: route({
    method: 'POST',
    path: '/auth/register/',
    summary: 'Register a wallet and sign in',
    auth: 'none',
    limit: 'auth',
    input: z.strictObject({
      ...signed,
      username,
      referral_code: referralCode.optional(),
      proof_key: proofKey.optional(),
    }),
    output: success(storedUser),
    errors: ['sign_in_refused', 'username_taken', 'username_reserved', 'wallet_taken', 'unknown_referral_code'],
  }),
  login: route({
    method: 'POST',
    path: '/auth/login/',
    summary: 'Sign in with a registered wallet',
    auth: 'none',
    limit: 'auth',
    input: z.strictObject({ ...signed, proof_key: proofKey.optional() }),
    output: success(storedUser),
    errors: ['sign_in_refused', 'wallet_unregistered'],
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout/',
    summary: 'End this session',
    auth: 'user',
    changes: true,
    // The token alone is enough: all that a stolen token can do here is end its own session.
    proof: false,
    evenFrozen: true,
    input: nothing,
    output: success({}),
  }),
  sponsor: route({
    method: 'GET',
    path: '/auth/sponsor/{referral_code}/',
    summary: 'The user who owns this referral code',
    auth: 'none',
    limit: 'auth',
    input: z.strictObject({ referral_code: referralCode }),
    output: success({ username }),
    errors: ['unknown_referral_code'],
  }),
  me: route({
    method: 'POST',
    path: '/auth/me/',
    summary: 'The signed-in user: level, points and referral code',
    auth: 'user',
    input: nothing,
    output: success({
      data: z.strictObject({
        id: userId,
        username,
        wallet_address: address,
        referral_code: z.string(),
        sponsor: username.nullable(),
        level: z.int(),
        points: z.int(),
        created_at: instant,
        avatar: avatar.nullable(),
      }),
    }),
  }),
  chooseAvatar: route({
    method: 'POST',
    path: '/auth/avatar/',
    summary: 'Choose one of our drawings as your avatar, or null for the first letter of your name',
    auth: 'user',
    changes: true,
    input: z.strictObject({ avatar: avatar.nullable() }),
    output: success({}),
  }),
  sessions: route({
    method: 'POST',
    path: '/auth/sessions/',
    summary: 'Where this account is signed in',
    auth: 'user',
    input: nothing,
    output: success({
      data: z.array(
        z.strictObject({ device: z.string(), created_at: instant, seen_at: instant, current: z.boolean() }),
      ),
    }),
  }),
  logoutEverywhere: route({
    method: 'POST',
    path: '/auth/logout_everywhere/',
    summary: 'End every session of this account',
    auth: 'user',
    changes: true,
    input: nothing,
    output: success({ ended: z.int() }),
  }),
  ...walletChanges,
}
