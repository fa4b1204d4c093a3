import { useEffect, useState } from 'react'
import { wallet } from '../../protocol/wallet.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { chosenEntry, forgetEntry } from '../shared/wallet/chosen-entry.ts'
import { lastWallet } from '../shared/wallet/last-wallet.ts'
import { announceOurWallets } from '../shared/wallet/our-wallets.ts'
import { Join } from './join.tsx'
import { Returning } from './returning.tsx'
import { SignInSteps } from './sign-in-steps.tsx'
import { type Problem, useEntry } from './use-entry.ts'

type RegisterFormProps = { code: string; isUnknown: boolean; isInvited: boolean; isLooking: boolean }

/** Registration and sign-in. A browser that remembers a wallet offers it first, and asks for nothing else. */
export function RegisterForm({ code, isUnknown, isInvited, isLooking }: RegisterFormProps) {
  const [problem, setProblem] = useState<Problem>()
  const [chosen] = useState(chosenEntry)
  const [last, setLast] = useState(() => (chosen === 'another' ? undefined : lastWallet()))
  const network = useRead(wallet.chain, {})
  const entry = useEntry(network.data, setProblem)
  useEffect(forgetEntry, [])
  useEffect(() => {
    if (network.data) void announceOurWallets(network.data)
  }, [network.data])

  function forgetLast(text?: string): void {
    setLast(undefined)
    setProblem(text ? { field: undefined, text } : undefined)
  }

  const isReady = network.data !== undefined && !isLooking
  return (
    <Card padding="l" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {last ? (
        <Returning last={last} chosen={chosen} entry={entry} isReady={isReady} onOther={forgetLast} />
      ) : (
        <Join
          {...{ code, isUnknown, isInvited, isReady, entry, problem, setProblem }}
          isDevelopment={network.data?.demo_wallet ?? false}
        />
      )}
      {problem && !problem.field && (
        <p role="alert" className="rounded-control bg-coral-tint px-4 py-3 text-coral-ink text-sm">
          {problem.text}
        </p>
      )}
      {entry.step ? (
        <SignInSteps step={entry.step} isDemo={entry.isDemo} />
      ) : (
        network.error && <FailedRead error={network.error} onRetry={network.refetch} />
      )}
      {!isReady && !network.error && <Skeleton className="h-32 rounded-[18px]" />}
    </Card>
  )
}
