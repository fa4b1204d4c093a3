import { ArrowRight, Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Usdt } from '../../protocol/money.ts'
import { refuseHealthRelease } from '../../protocol/rewards.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { support } from '../../protocol/support.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { AnimatedMoney } from '../../ui/animated-number.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { cssVariables } from '../../ui/css-variables.ts'
import { amountText } from '../../ui/format.ts'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { readAmount } from '../shared/money/amounts.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'

type Health = OutputOf<typeof support.health>
const refusalOf = (health: Health, amount: Usdt | undefined) => refuseHealthRelease(amount, health)

/** The health balance, and what is still needed to release it. */
export function HealthCard() {
  const health = useRead(support.health, {})
  if (health.isLoadingError)
    return (
      <Card>
        <FailedRead error={health.error} onRetry={() => health.refetch()} />
      </Card>
    )
  if (!health.data) return <Skeleton className="min-h-96 w-full rounded-card" />
  return <Balance health={health.data} />
}

function Balance({ health }: { health: Health }) {
  const { balance, minimum, challenges_done, challenges_needed, window_days } = health
  const [open, setOpen] = useState(false)
  const missing = Math.max(0, challenges_needed - challenges_done)
  const isReady = refusalOf(health, balance) === undefined
  return (
    <Card weight="lead" padding="l" className="grid min-h-96 content-between gap-6" aria-label="Health balance">
      <div className="flex flex-wrap items-center justify-between gap-6">
        <div className="grid gap-1">
          <p className="font-semibold text-on-panel-soft">Health balance</p>
          <AnimatedMoney amount={balance} className="font-display text-4xl sm:text-5xl" />
        </div>
        <span style={cssVariables({ '--track': 'var(--panel-line)' })}>
          <Ring
            value={challenges_done / challenges_needed}
            size={116}
            stroke={11}
            tone="lime"
            label={`${challenges_done} of ${challenges_needed} challenges`}
          >
            <span className="figures grid leading-none">
              <span className="font-display text-2xl">
                {Math.min(challenges_done, challenges_needed)}/{challenges_needed}
              </span>
              <span className="mt-1 text-on-panel-soft text-xs">challenges</span>
            </span>
          </Ring>
        </span>
      </div>
      <ul className="grid gap-2.5">
        <Condition met={missing === 0}>
          {missing === 0
            ? `${challenges_done} challenges in the last ${window_days} days`
            : `${missing} more ${missing === 1 ? 'challenge' : 'challenges'} within ${window_days} days`}
        </Condition>
        <Condition met={balance >= minimum}>
          {balance >= minimum
            ? `At least ${amountText(minimum)} USDT to release`
            : `The smallest release is ${amountText(minimum)} USDT. Your plans add to your balance every day.`}
        </Condition>
      </ul>
      {isReady ? (
        <Button variant="lime" size="l" onClick={() => setOpen(true)}>
          Release to wallet
        </Button>
      ) : (
        <Link to={missing > 0 ? '/user/games2' : '/user/plans'} className={buttonClass({ variant: 'lime', size: 'l' })}>
          {missing > 0 ? 'Do a challenge' : 'See plans'} <ArrowRight size={18} aria-hidden="true" />
        </Link>
      )}
      <ReleaseDialog health={health} open={open} onClose={() => setOpen(false)} />
    </Card>
  )
}

function Condition({ met, children }: { met: boolean; children: ReactNode }) {
  return (
    <li className="flex items-start gap-3">
      <span
        aria-hidden="true"
        className={`mt-0.5 grid size-5 shrink-0 place-items-center rounded-full ${met ? 'bg-lime text-[#10231c]' : 'border-2 border-on-panel-soft'}`}
      >
        {met && <Check size={13} strokeWidth={4} />}
      </span>
      <span className={met ? '' : 'text-on-panel-soft'}>
        <span className="sr-only">{met ? 'Done: ' : 'Not done yet: '}</span>
        {children}
      </span>
    </li>
  )
}

function ReleaseDialog({ health, open, onClose }: { health: Health; open: boolean; onClose: () => void }) {
  const [text, setText] = useState('')
  const release = useCall(support.releaseHealth)
  const amount = readAmount(text)
  const refusal = refusalOf(health, amount)
  const send = () => {
    if (!amount) return
    release.mutate(
      { withdraw_amount: amount },
      {
        onSuccess: ({ Msg }) => {
          celebrate()
          notify.success(Msg)
          setText('')
          onClose()
          void queries.invalidateQueries()
        },
      },
    )
  }
  return (
    <ConfirmDialog
      open={open}
      title="Release your health balance"
      action="Release"
      onConfirm={send}
      onCancel={onClose}
      busy={release.isPending}
      disabled={refusal !== undefined}
    >
      <div className="grid gap-4">
        <p>It goes straight to your wallet balance, with no fee.</p>
        <AmountField
          label="Amount"
          value={text}
          onChange={setText}
          min={health.minimum}
          max={health.balance}
          error={release.error?.message ?? (text === '' ? undefined : refusal?.message)}
        />
      </div>
    </ConfirmDialog>
  )
}
