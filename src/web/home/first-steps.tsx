import { ChevronRight, Gamepad2, Layers, type LucideIcon, Target } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Details } from '../../protocol/balance.ts'
import { Card } from '../../ui/card.tsx'
import { amountText } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CheckStep } from '../shared/check/check-step.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { StepWords, stepClass } from '../shared/page/step.tsx'
import type { StepName, useSteps } from './use-steps.ts'

type Step = { to: string; icon: LucideIcon; title: string; text: string }

const stepsFor = ({ minimumamount }: Details): Record<Exclude<StepName, 'check'>, Step> => ({
  plan: {
    to: '/user/plans',
    icon: Layers,
    title: 'Choose a plan',
    text: `From ${amountText(minimumamount)} USDT, rewards every day`,
  },
  round: { to: '/user/quize-game', icon: Gamepad2, title: 'Play a round', text: 'A free quiz. It takes a minute.' },
  ring: { to: '/user/games2', icon: Target, title: 'Close a ring', text: 'Log a walk or a meal' },
})

type FirstStepsProps = {
  steps: ReturnType<typeof useSteps>
  details: Details
  /** What the user has, at the top of a newcomer's page. Without it, the card is one of several. */
  lead?: ReactNode
}

/** The four first steps. Each is one tap away, and gone when it is done. */
export function FirstSteps({ steps: { open, error, refetch }, details, lead }: FirstStepsProps) {
  const onPanel = lead !== undefined
  return (
    <Card weight={onPanel ? 'lead' : 'plain'} padding={onPanel ? 'l' : 'm'} className="grid gap-5">
      {lead ?? <h2 className="text-xl">{open?.length === 1 ? 'One step left' : 'Your first steps'}</h2>}
      {open ? (
        <ul className={`grid gap-2.5 ${onPanel ? 'sm:grid-cols-2' : 'sm:grid-cols-2 wide:grid-cols-3'}`}>
          {open.map((name) => (
            <li key={name}>
              {name === 'check' ? (
                <CheckStep onPanel={onPanel} />
              ) : (
                <StepLink step={stepsFor(details)[name]} {...{ onPanel }} />
              )}
            </li>
          ))}
        </ul>
      ) : error ? (
        <FailedRead error={error} onRetry={refetch} />
      ) : (
        <div className="grid gap-2.5 sm:grid-cols-2" role="status" aria-label="Loading your first steps">
          {['plan', 'round', 'ring', 'check'].map((name) => (
            <Skeleton key={name} className={`h-19 rounded-inner ${onPanel ? 'bg-panel-line!' : ''}`} />
          ))}
        </div>
      )}
    </Card>
  )
}

function StepLink({ step: { to, icon, title, text }, onPanel }: { step: Step; onPanel: boolean }) {
  return (
    <Link to={to} className={stepClass(onPanel)}>
      <StepWords {...{ icon, title, text, onPanel }} />
      <ChevronRight size={18} aria-hidden="true" className="ml-auto shrink-0 opacity-60" />
    </Link>
  )
}
