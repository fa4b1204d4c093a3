import { sql } from 'kysely'
import { brand } from '../../../protocol/brand.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { Address, UserId } from '../../../protocol/ids.ts'
import { levelOf, type ProofKey, type users } from '../../../protocol/users.ts'
import { SIGN_IN_MINUTES, verifySignIn } from '../../chain/sign-in.ts'
import type { Context, Handlers, RequestContext } from '../../context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { isValidKey } from '../../platform/es256.ts'
import { tellOfNewDevice } from './new-device.ts'
import { DAYS_MAX, endAllSessions, endSession, IDLE_DAYS_MAX, openSession } from './sessions.ts'
import { consumeNonce, createNonce, createUser, getSponsor, takenError } from './users.ts'
import { walletChangeHandlers } from './wallet-change-handlers.ts'
import { refuseFormerWallet } from './wallet-changes.ts'

type SignedIn = { message: string; signature: string; proof_key?: ProofKey | undefined }

async function verify({ chain, config, clock }: Context, { message, signature, proof_key }: SignedIn) {
  if (proof_key && !isValidKey(proof_key))
    throw new AppError('invalid_input', 'This key is not a point on the P-256 curve', 'proof_key')
  return verifySignIn(chain, message, signature, { publicUrls: config.publicUrls, now: clock.now() })
}

/** Opens a session and returns the entry the browser stores. */
async function signIn(tx: Tx, { device }: RequestContext, userNumber: number, proofKey: ProofKey | undefined) {
  const token = await openSession(tx, userNumber, device, proofKey)
  const { id, wallet_address, username, points } = await tx
    .selectFrom('users')
    .select(['id', 'wallet_address', 'username', 'points'])
    .where('number', '=', userNumber)
    .executeTakeFirstOrThrow()
  return { token, id: id as UserId, wallet_address: wallet_address as Address, username, level: levelOf(points) }
}

export const handlers: Handlers<typeof users> = {
  nonce: async ({ db, config, clock }, { wallet_address }) => {
    const nonce = await transaction(db, (tx) => createNonce(tx, wallet_address))
    const site = new URL(config.publicUrls[0] ?? '')
    const issued_at = clock.now()
    return {
      status: 'success',
      Msg: 'Sign this message with your wallet',
      nonce,
      domain: site.host,
      uri: site.origin,
      statement: `Sign in to ${brand.name}. This is free and moves no money.`,
      version: '1',
      chain_id: config.chain.chainId,
      issued_at,
      expiration_time: new Date(issued_at.getTime() + SIGN_IN_MINUTES * 60_000),
    }
  },

  register: async (context, input) => {
    const { address, nonce } = await verify(context, input)
    try {
      return await transaction(context.db, async (tx) => {
        await consumeNonce(tx, address, nonce)
        const newUser = { username: input.username, walletAddress: address, sponsorCode: input.referral_code }
        const { number } = await createUser(tx, newUser)
        const entry = await signIn(tx, context, number, input.proof_key)
        return { status: 'success', Msg: `Welcome to ${brand.name}, ${entry.username}!`, ...entry }
      })
    } catch (error) {
      throw takenError(error) ?? error
    }
  },

  login: async (context, input) => {
    const { address, nonce } = await verify(context, input)
    return transaction(context.db, async (tx) => {
      const user = await tx
        .selectFrom('users')
        .select('number')
        .where('wallet_address', '=', address)
        .executeTakeFirst()
      if (!user) await refuseFormerWallet(tx, address)
      // Do not consume the nonce: the same signed message can still register the wallet.
      if (!user) throw new AppError('wallet_unregistered', 'Wallet is not registered')
      await consumeNonce(tx, address, nonce)
      await tellOfNewDevice(tx, user.number, { ...context, nonce, proofKey: input.proof_key })
      const entry = await signIn(tx, context, user.number, input.proof_key)
      return { status: 'success', Msg: `Welcome back, ${entry.username}!`, ...entry }
    })
  },

  logout: ({ change, session }) =>
    change(async (tx) => {
      await endSession(tx, session)
      return { status: 'success', Msg: 'Signed out' }
    }),

  sponsor: async ({ db }, { referral_code }) => {
    const { username } = await getSponsor(db, referral_code)
    return { status: 'success', Msg: `${username} invites you`, username }
  },

  me: async ({ db, user }) => {
    const row = await db
      .selectFrom('users as u')
      .leftJoin('users as s', 's.number', 'u.sponsor_number')
      .select([
        'u.id',
        'u.username',
        'u.wallet_address',
        'u.referral_code',
        'u.points',
        'u.created_at',
        'u.avatar',
        's.username as sponsor',
      ])
      .where('u.number', '=', user.number)
      .executeTakeFirstOrThrow()
    return {
      status: 'success',
      Msg: 'Your account',
      data: { ...row, level: levelOf(row.points), points: Number(row.points) },
    }
  },

  chooseAvatar: ({ change, user }, { avatar }) =>
    change(async (tx) => {
      await tx.updateTable('users').set({ avatar }).where('number', '=', user.number).execute()
      return { status: 'success', Msg: 'Your avatar is saved' }
    }),

  sessions: async ({ db, user, session }) => {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'device', 'created_at', 'seen_at'])
      .where('user_number', '=', user.number)
      .where('ended_at', 'is', null)
      .where('seen_at', '>', sql<Date>`now() - ${IDLE_DAYS_MAX} * interval '1 day'`)
      .where('created_at', '>', sql<Date>`now() - ${DAYS_MAX} * interval '1 day'`)
      .orderBy('created_at', 'desc')
      .execute()
    const data = rows.map(({ id, ...row }) => ({ ...row, current: id === session.id }))
    return { status: 'success', Msg: 'Your sessions', data }
  },

  logoutEverywhere: ({ change, user }) =>
    change(async (tx) => {
      const ended = await endAllSessions(tx, user.number)
      return { status: 'success', Msg: 'Signed out everywhere', ended }
    }),

  ...walletChangeHandlers,
}
