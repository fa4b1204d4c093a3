import type { InputOf } from '../../protocol/route.ts'
import { shortAddress } from '../../protocol/short-address.ts'
import { users } from '../../protocol/users.ts'
import { wallet } from '../../protocol/wallet.ts'
import { CallError, call } from '../shared/api/api.ts'
import { getSessionKey } from '../shared/api/session-key.ts'
import { writeStoredUser } from '../shared/api/stored-user.ts'
import type { WalletOption } from '../shared/wallet/discovery.ts'
import { connectWallet, type NetworkInfo, signInMessage } from '../shared/wallet/wallet.ts'

export type Step = 'connect' | 'sign' | 'register' | 'fill' | 'done'
export type Newcomer = { username: string; referralCode: string | undefined }

/** The signed message, kept so that choosing another username needs no second signature. */
export type Signed = InputOf<typeof users.login>

/** The wallet is set to another account than the one that the page offered. Nothing was signed. */
export class OtherAccount extends Error {
  readonly address: string
  constructor(address: string) {
    super('Your wallet is set to another account')
    this.address = address
  }
}

/** Connects the wallet and asks it to sign. The page shows both steps. `expected` and the result are shortened addresses. */
export async function signWithWallet(
  option: WalletOption,
  info: NetworkInfo,
  onStep: (step: Step) => void,
  expected?: string,
): Promise<{ signed: Signed; address: string }> {
  onStep('connect')
  const wallet = await connectWallet(option, info)
  const address = shortAddress(wallet.address)
  if (expected && address !== expected) throw new OtherAccount(address)
  onStep('sign')
  const fields = await call(users.nonce, { wallet_address: wallet.address })
  const message = signInMessage(wallet.address, fields)
  const [signature, proof_key] = await Promise.all([wallet.signMessage(message), getSessionKey()])
  return { signed: { message, signature, proof_key }, address }
}

/** Signs in a known wallet. */
export async function signIn(signed: Signed): Promise<void> {
  store(await call(users.login, signed))
}

async function register(signed: Signed, { username, referralCode }: Newcomer): Promise<void> {
  store(await call(users.register, { ...signed, username, referral_code: referralCode }))
}

/**
 * Signs in a known wallet, or registers a new one with the chosen username. A wallet that `isFresh` was made in this
 * browser and has not signed in here yet, so registering it is tried first. The same signature serves both.
 */
export async function enter(
  signed: Signed,
  newcomer: Newcomer,
  isFresh: boolean,
  onStep: (step: Step) => void,
): Promise<{ isNew: boolean }> {
  try {
    if (isFresh) onStep('register')
    await (isFresh ? register(signed, newcomer) : signIn(signed))
    return { isNew: isFresh }
  } catch (error) {
    const isOther = error instanceof CallError && error.code === (isFresh ? 'wallet_taken' : 'wallet_unregistered')
    if (!isOther) throw error
  }
  if (!isFresh) onStep('register')
  await (isFresh ? signIn(signed) : register(signed, newcomer))
  return { isNew: !isFresh }
}

/** Gets test money for a new demo wallet. Ignores errors, because the wallet page offers it again. */
export async function fillDemoWallet(walletAddress: `0x${string}`): Promise<void> {
  await call(wallet.faucet, { wallet_address: walletAddress }).catch(() => {})
}

function store({
  token,
  id,
  wallet_address,
  username,
  level,
}: Awaited<ReturnType<typeof call<typeof users.login>>>): void {
  writeStoredUser({ token, id: `user_${id}`, wallet_address, username, level })
}
