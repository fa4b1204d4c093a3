import { Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import { brand } from '../../protocol/brand.ts'
import {
  REFERRAL_CODE_CHARS,
  referralCode,
  USERNAME_CHARS,
  username as usernameRule,
  users,
} from '../../protocol/users.ts'
import { refuseUsername } from '../../protocol/users-reserved.ts'
import { wallet } from '../../protocol/wallet.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { notify } from '../../ui/toast.tsx'
import { CallError, useRead } from '../shared/api/api.ts'
import { readStoredUser, useStoredUser } from '../shared/api/stored-user.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'
import { keepTrial } from '../shared/trial/trial.ts'
import { TrialNote } from '../shared/trial/trial-note.tsx'
import { announceDemoWallet, DEMO_WALLET_ID } from '../shared/wallet/demo.ts'
import { useWalletOptions, type WalletOption } from '../shared/wallet/discovery.ts'
import { isRejection } from '../shared/wallet/errors.ts'
import type { NetworkInfo } from '../shared/wallet/wallet.ts'
import { forgetReferral, keepReferral, readReferral } from './kept-referral.ts'
import { newName } from './new-name.ts'
import { Promises } from './promises.tsx'
import { enter, fillDemoWallet, type Signed, type Step, signWithWallet } from './sign-in.ts'
import { SignInSteps } from './sign-in-steps.tsx'

/** Registration and sign-in in one place: a known wallet is signed in, a new one is registered. */
export function RegisterPage() {
  const user = useStoredUser()
  const [wasSignedIn] = useState(user !== undefined)
  if (wasSignedIn) return <Navigate to="/user/home" replace />
  return (
    <div className="mx-auto grid min-h-[calc(100dvh-1.75rem)] w-full max-w-[28rem] grid-rows-[1fr_auto] gap-10 px-5 py-10 lg:max-w-[66rem]">
      <main tabIndex={-1} className="grid content-center gap-6 lg:grid-cols-[1fr_26rem] lg:gap-x-10">
        <Promises />
        <div className="grid content-center gap-6">
          <a href="/" className="justify-self-center lg:justify-self-start" aria-label={`${brand.name}, start page`}>
            <Logo />
          </a>
          <Content />
        </div>
      </main>
      <SiteFooter className="border-line border-t pt-6" />
    </div>
  )
}

function Content() {
  const { referralCode: linked } = useParams()
  const [code] = useState(() => linked ?? readReferral())
  const info = useRead(wallet.chain, {})
  if (info.isError) return <FailedRead error={info.error} onRetry={() => info.refetch()} />
  if (!info.data) return <Skeleton className="h-96 w-full rounded-card" />
  return (
    <>
      {code && <Sponsor code={code} />}
      <TrialNote />
      <RegisterForm info={info.data} linkCode={code} />
      <p className="text-center text-faint text-sm">Signing in is free and moves no money.</p>
    </>
  )
}

function Sponsor({ code }: { code: string }) {
  const isCode = referralCode.safeParse(code).success
  const sponsor = useRead(users.sponsor, { referral_code: code }, { enabled: isCode })
  useEffect(() => {
    if (sponsor.data) keepReferral(code)
  }, [sponsor.data, code])
  if (sponsor.error && sponsor.error.code !== 'unknown_referral_code')
    return <FailedRead error={sponsor.error} onRetry={sponsor.refetch} />
  if (!isCode || sponsor.error)
    return (
      <Card weight="quiet" role="alert">
        <strong>We couldn't find the referral code “{code}”.</strong> Check the link with the person who sent it, or
        join without one.
      </Card>
    )
  if (!sponsor.data) return <Skeleton className="h-16 w-full rounded-card" />
  return (
    <Card weight="quiet" className="flex items-center gap-3">
      <Badge tone="lime">Invitation</Badge>
      <span>
        <strong>{sponsor.data.username}</strong> invites you to {brand.name}
      </span>
    </Card>
  )
}

function RegisterForm({ info, linkCode }: { info: NetworkInfo; linkCode: string | undefined }) {
  const [username, setUsername] = useState(newName)
  const [code, setCode] = useState(linkCode ?? '')
  const [problem, setProblem] = useState<Problem>()
  const { step, isDemo, start } = useEntry(info, setProblem)
  useEffect(() => {
    if (info.demo_wallet) void announceDemoWallet(info.chain_id)
  }, [info])

  function choose(option: WalletOption): void {
    const found = findProblem(username, code)
    setProblem(found)
    if (!found) void start(option, { username, referralCode: code || undefined })
  }

  const problemOf = (field: string) => (problem?.field === field ? problem.text : undefined)
  return (
    <Card padding="l" className="grid gap-5">
      <div>
        <h1 className="font-display text-3xl">Join {brand.name}</h1>
        <p className="mt-1 text-soft">Your wallet is your account. No password, no email.</p>
      </div>
      <Field
        label="Username"
        hint={`${USERNAME_CHARS.min} to ${USERNAME_CHARS.max} characters: a–z, 0–9 and _`}
        error={problemOf('username')}
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
      <Field label="Referral code" hint="Optional" error={problemOf('referral_code')}>
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
      {problem && !problem.field && (
        <p role="alert" className="rounded-control bg-coral-tint px-4 py-3 text-coral-ink text-sm">
          {problem.text}
        </p>
      )}
      {step ? (
        <SignInSteps step={step} isDemo={isDemo} />
      ) : (
        <WalletChoice isDevelopment={info.demo_wallet} onChoose={choose} />
      )}
    </Card>
  )
}

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
function useEntry(info: NetworkInfo, onProblem: (problem: Problem) => void) {
  const [step, setStep] = useState<Step>()
  const [isDemo, setDemo] = useState(false)
  const [kept, setKept] = useState<{ option: WalletOption; signed: Signed }>()
  const navigate = useNavigate()

  async function start(option: WalletOption, newcomer: Parameters<typeof enter>[1]): Promise<void> {
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
