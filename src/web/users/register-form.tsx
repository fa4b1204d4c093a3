import { Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { brand } from '../../protocol/brand.ts'
import { REFERRAL_CODE_CHARS, referralCode, USERNAME_CHARS, username as usernameRule } from '../../protocol/users.ts'
import { refuseUsername } from '../../protocol/users-reserved.ts'
import { wallet } from '../../protocol/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { notify } from '../../ui/toast.tsx'
import { CallError, useRead } from '../shared/api/api.ts'
import { readStoredUser } from '../shared/api/stored-user.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { keepTrial } from '../shared/trial/trial.ts'
import { announceDemoWallet } from '../shared/wallet/demo.ts'
import { DEMO_WALLET_ID, useWalletOptions, type WalletOption } from '../shared/wallet/discovery.ts'
import { isRejection } from '../shared/wallet/errors.ts'
import type { NetworkInfo } from '../shared/wallet/wallet.ts'
import { forgetReferral } from './kept-referral.ts'
import { newName } from './new-name.ts'
import { enter, fillDemoWallet, type Signed, type Step, signWithWallet } from './sign-in.ts'
import { SignInSteps } from './sign-in-steps.tsx'

type RegisterFormProps = { code: string; isUnknown: boolean; isInvited: boolean; isLooking: boolean }

/** Name, code and wallets. An invited visitor needs only the wallet: the name is suggested, and the code is known. */
export function RegisterForm({ code: linked, isUnknown, isInvited, isLooking }: RegisterFormProps) {
  const [username, setUsername] = useState(newName)
  const [code, setCode] = useState(linked.toUpperCase().trim())
  const [problem, setProblem] = useState<Problem>()
  const [wantsFields, setWantsFields] = useState(false)
  const network = useRead(wallet.chain, {})
  const { step, isDemo, start } = useEntry(network.data, setProblem)
  useEffect(() => {
    if (network.data?.demo_wallet) void announceDemoWallet(network.data.chain_id)
  }, [network.data])

  function choose(option: WalletOption): void {
    const found = findProblem(username, code)
    setProblem(found)
    if (!found) void start(option, { username, referralCode: code || undefined })
  }

  const isLinked = code === linked.toUpperCase().trim()
  const problems = isUnknown && isLinked ? { referral_code: UNKNOWN_CODE } : {}
  const hasFields = !isInvited || wantsFields || problem?.field !== undefined
  return (
    <Card padding="l" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <h1 className="font-display text-3xl">Join {brand.name}</h1>
        <p className="mt-1 text-soft">Your wallet is your account. No password, no email.</p>
      </div>
      {isLooking ? null : hasFields ? (
        <Fields
          {...{ username, setUsername, code, setCode }}
          problems={problem?.field ? { ...problems, [problem.field]: problem.text } : problems}
        />
      ) : (
        <p className="flex items-center justify-between gap-3 rounded-control bg-sunken py-1.5 pr-1.5 pl-4">
          <span className="min-w-0 truncate">
            Your name: <strong>{username}</strong>
          </span>
          <Button variant="bare" size="s" onClick={() => setWantsFields(true)}>
            Change
          </Button>
        </p>
      )}
      {problem && !problem.field && (
        <p role="alert" className="rounded-control bg-coral-tint px-4 py-3 text-coral-ink text-sm">
          {problem.text}
        </p>
      )}
      {step ? (
        <SignInSteps step={step} isDemo={isDemo} />
      ) : network.error ? (
        <FailedRead error={network.error} onRetry={network.refetch} />
      ) : network.data && !isLooking ? (
        <WalletChoice isDevelopment={network.data.demo_wallet} onChoose={choose} />
      ) : (
        <Skeleton className="h-32 rounded-[18px]" />
      )}
    </Card>
  )
}

const UNKNOWN_CODE = "We couldn't find the referral code of your link. Ask the person who sent it, or clear this field."

type FieldsProps = {
  username: string
  setUsername: (username: string) => void
  code: string
  setCode: (code: string) => void
  problems: { username?: string; referral_code?: string }
}

const Fields = ({ username, setUsername, code, setCode, problems }: FieldsProps) => (
  <>
    <Field
      label="Username"
      hint={`${USERNAME_CHARS.min} to ${USERNAME_CHARS.max} characters: a–z, 0–9 and _`}
      error={problems.username}
    >
      {(control) => (
        <TextInput
          {...control}
          value={username}
          autoComplete="username"
          maxLength={USERNAME_CHARS.max}
          onChange={(event) => setUsername(event.target.value.toLowerCase())}
        />
      )}
    </Field>
    <Field label="Referral code" hint="Optional" error={problems.referral_code}>
      {(control) => (
        <TextInput
          {...control}
          value={code}
          maxLength={REFERRAL_CODE_CHARS}
          autoComplete="off"
          onChange={(event) => setCode(event.target.value.toUpperCase().trim())}
        />
      )}
    </Field>
  </>
)

type Problem = { field: string | undefined; text: string }

function findProblem(username: string, code: string): Problem | undefined {
  const checks = [
    { field: 'username', result: usernameRule.safeParse(username) },
    { field: 'referral_code', result: referralCode.optional().safeParse(code || undefined) },
  ]
  const failed = checks.find(({ result }) => !result.success)
  if (failed) return { field: failed.field, text: failed.result.error?.issues[0]?.message ?? '' }
  const refusal = refuseUsername(username)
  return refusal && { field: 'username', text: refusal.message }
}

/** Runs the sign-in steps. Keeps the signature, so that a second attempt needs no new one. */
function useEntry(info: NetworkInfo | undefined, onProblem: (problem: Problem) => void) {
  const [step, setStep] = useState<Step>()
  const [isDemo, setDemo] = useState(false)
  const [kept, setKept] = useState<{ option: WalletOption; signed: Signed }>()
  const navigate = useNavigate()

  async function start(option: WalletOption, newcomer: Parameters<typeof enter>[1]): Promise<void> {
    if (!info) return
    const isDemoWallet = option.id === DEMO_WALLET_ID
    setDemo(isDemoWallet)
    try {
      const signed = kept?.option === option ? kept.signed : await signWithWallet(option, info, setStep)
      setKept({ option, signed })
      const { isNew } = await enter(signed, newcomer, setStep)
      forgetReferral()
      const keptScore = await keepTrial()
      const user = readStoredUser()
      if (isNew && isDemoWallet && user) {
        setStep('fill')
        await fillDemoWallet(user.wallet_address as `0x${string}`)
      }
      notify.success(isNew ? `Welcome to ${brand.name}!` : 'Welcome back!')
      if (keptScore !== undefined) notify.success(`Your ${keptScore.toLocaleString('en')} points are in your account`)
      navigate('/user/home', { replace: true })
    } catch (error) {
      setStep(undefined)
      if (isRejection(error)) {
        notify.neutral('You declined in your wallet. You are not signed in.')
        return
      }
      if (error instanceof CallError && error.code === 'sign_in_refused') setKept(undefined)
      const field = error instanceof CallError ? error.field : undefined
      onProblem({ field, text: error instanceof Error ? error.message : 'Sign-in failed. Please try again.' })
    }
  }
  return { step, isDemo, start }
}

function WalletChoice({ isDevelopment, onChoose }: { isDevelopment: boolean; onChoose(option: WalletOption): void }) {
  const options = useWalletOptions()
  const demo = options.find(({ id }) => id === DEMO_WALLET_ID)
  const others = options.filter((option) => option !== demo)
  return (
    <div className="grid gap-3">
      {isDevelopment && (
        <Button
          size="l"
          wide
          busy={!demo}
          icon={<Wallet size={20} aria-hidden="true" />}
          onClick={() => demo && onChoose(demo)}
        >
          Start with a demo wallet
        </Button>
      )}
      {others.map((option) => (
        <Button key={option.id} variant="outline" size="l" wide onClick={() => onChoose(option)}>
          <img src={option.icon} alt="" className="size-6 rounded-md" />
          {option.name}
        </Button>
      ))}
      {others.length === 0 && (
        <p className="text-center text-faint text-sm">
          {isDevelopment
            ? 'The demo wallet is created in your browser, with test money in it. Browser wallets appear here too.'
            : 'No wallet found in this browser. Install one that supports BSC, then reload this page.'}
        </p>
      )}
    </div>
  )
}
