import type { InputOf } from '../../protocol/route.ts'
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

/** Connects the wallet and asks it to sign. The page shows both steps. */
export async function signWithWallet(
  option: WalletOption,
  info: NetworkInfo,
  onStep: (step: Step) => void,
): Promise<Signed> {
  onStep('connect')
  const wallet = await connectWallet(option, info)
  onStep('sign')
  const fields = await call(users.nonce, { wallet_address: wallet.address })
  const message = signInMessage(wallet.address, fields)
  const [signature, proof_key] = await Promise.all([wallet.signMessage(message), getSessionKey()])
  return { message, signature, proof_key }
}

/** Signs in a known wallet, or registers a new one with the chosen username. */
export async function enter(
  signed: Signed,
  newcomer: Newcomer,
  onStep: (step: Step) => void,
): Promise<{ isNew: boolean }> {
  try {
    store(await call(users.login, signed))
    return { isNew: false }
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'wallet_unregistered')) throw error
  }
  onStep('register')
  const { username, referralCode } = newcomer
  store(await call(users.register, { ...signed, username, referral_code: referralCode }))
  return { isNew: true }
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
