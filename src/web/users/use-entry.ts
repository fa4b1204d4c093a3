import { useState } from 'react'
import { useNavigate } from 'react-router'
import { brand } from '../../protocol/brand.ts'
import { figureText } from '../../protocol/figures.ts'
import { notify } from '../../ui/toast.tsx'
import { CallError } from '../shared/api/api.ts'
import { readStoredUser } from '../shared/api/stored-user.ts'
import { keepTrial } from '../shared/trial/trial.ts'
import { DEMO_WALLET_ID, type WalletOption } from '../shared/wallet/discovery.ts'
import { isRejection } from '../shared/wallet/errors.ts'
import { lastWallet, rememberWallet } from '../shared/wallet/last-wallet.ts'
import type { NetworkInfo } from '../shared/wallet/wallet.ts'
import { forgetReferral } from './kept-referral.ts'
import { enter, fillDemoWallet, type Newcomer, type Signed, type Step, signIn, signWithWallet } from './sign-in.ts'

export type Problem = { field: string | undefined; text: string }

/** Runs the sign-in steps. Keeps the signature, so that a second attempt needs no new one. */
export function useEntry(info: NetworkInfo | undefined, onProblem: (problem: Problem) => void) {
  const [step, setStep] = useState<Step>()
  const [isDemo, setDemo] = useState(false)
  const [kept, setKept] = useState<{ option: WalletOption; signed: Signed; address: string }>()
  const [needsName, setNeedsName] = useState(false)
  const navigate = useNavigate()

  /** Runs `work` with the wallet's signature. Errors are shown here, except those that `isForCaller` picks. */
  async function run(
    option: WalletOption,
    expected: string | undefined,
    work: (signed: Signed) => Promise<{ isNew: boolean }>,
    isForCaller: (error: unknown) => boolean = () => false,
  ): Promise<void> {
    if (!info) return
    setDemo(option.id === DEMO_WALLET_ID)
    try {
      const isKept = kept?.option === option && (expected ?? kept.address) === kept.address
      const { signed, address } = isKept ? kept : await signWithWallet(option, info, setStep, expected)
      setKept({ option, signed, address })
      const { isNew } = await work(signed)
      await welcome(option, isNew, setStep)
      navigate('/user/home', { replace: true })
    } catch (error) {
      setStep(undefined)
      if (isRejection(error)) {
        notify.neutral('You declined in your wallet. You are not signed in.')
        return
      }
      const { code, field } = error instanceof CallError ? error : {}
      if (code === 'sign_in_refused') setKept(undefined)
      setNeedsName(code === 'wallet_unregistered' || field !== undefined)
      if (isForCaller(error)) throw error
      onProblem({ field, text: error instanceof Error ? error.message : 'Sign-in failed. Please try again.' })
    }
  }

  const join = (option: WalletOption, newcomer: Newcomer) => {
    const isFresh = option.id === DEMO_WALLET_ID && lastWallet()?.id !== DEMO_WALLET_ID
    return run(option, undefined, (signed) => enter(signed, newcomer, isFresh, setStep))
  }

  /** Signs in without a name, for a wallet that has been here before. `isForCaller` picks the errors that it throws. */
  const comeBack = (option: WalletOption, expected: string | undefined, isForCaller: (error: unknown) => boolean) =>
    run(
      option,
      expected,
      async (signed) => {
        await signIn(signed)
        return { isNew: false }
      },
      isForCaller,
    )

  /** `unnamed` is a new wallet that has signed. Only a name or a code is missing, or was refused. */
  return { step, isDemo, unnamed: needsName ? kept?.option : undefined, join, comeBack }
}

async function welcome(option: WalletOption, isNew: boolean, onStep: (step: Step) => void): Promise<void> {
  forgetReferral()
  const keptScore = await keepTrial()
  const user = readStoredUser()
  if (user) await rememberWallet(option, user.wallet_address)
  if (isNew && option.id === DEMO_WALLET_ID && user) {
    onStep('fill')
    await fillDemoWallet(user.wallet_address as `0x${string}`)
  }
  notify.success(isNew ? `Welcome to ${brand.name}!` : 'Welcome back!')
  if (keptScore !== undefined) notify.success(`Your ${figureText(keptScore)} points are in your account`)
}
