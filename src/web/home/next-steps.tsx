import { Gamepad2, type LucideIcon, Palette, RefreshCw, Target, Users } from 'lucide-react'
import { Link } from 'react-router'
import type { Details } from '../../protocol/balance.ts'
import type { Terms } from '../../protocol/terms.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FailedLine } from '../shared/page/failed-read.tsx'
import { useTerms } from '../shared/terms/use-terms.ts'

type Step = { to: string; icon: LucideIcon; title: string; text: string; due: boolean }

/** What to do on a day after the first steps, most important first. */
function stepsFor({ planreward, planreff, minimumamount }: Details, terms: Terms): Step[] {
  const canTopUp = planreward >= minimumamount || planreff >= minimumamount
  const steps: Step[] = [
    {
      to: '/user/re-top-up',
      icon: RefreshCw,
      title: 'Put your rewards to work',
      text: 'Re top up your plan',
      due: canTopUp,
    },
    {
      to: '/user/games2',
      icon: Target,
      title: "Close today's rings",
      text: `Complete ${terms.healthChallengesMin} challenges in ${terms.healthWindowDays} days to release your health balance`,
      due: true,
    },
    { to: '/user/quize-game', icon: Gamepad2, title: 'Play the quiz', text: 'Earn points for every hit', due: true },
    {
      to: '/user/color-game',
      icon: Palette,
      title: 'Play the colour game',
      text: `A round every ${terms.colourRoundSeconds} seconds, and you can check every draw`,
      due: true,
    },
    {
      to: '/user/referal',
      icon: Users,
      title: 'Invite a friend',
      text: `Earn rewards from ${terms.uplinePercents.length} levels`,
      due: true,
    },
  ]
  return steps.filter(({ due }) => due)
}

export function NextSteps({ details }: { details: Details }) {
  const { terms, error } = useTerms()
  if (!terms && !error) return <Skeleton className="h-80 rounded-card" />
  return (
    <Card className="grid gap-4">
      <h2 className="text-xl">Next steps</h2>
      {terms ? <Steps steps={stepsFor(details, terms)} /> : error && <FailedLine error={error} />}
    </Card>
  )
}

const Steps = ({ steps }: { steps: Step[] }) => (
  <ul className="grid gap-x-5 gap-y-1 sm:grid-cols-2 wide:grid-cols-1">
    {steps.map(({ to, icon: Icon, title, text }) => (
      <li key={to}>
        <Link to={to} className="-mx-2 flex items-center gap-3.5 rounded-[14px] p-2 transition-colors hover:bg-quiet">
          <span className="grid size-11 shrink-0 place-items-center rounded-full bg-leaf-tint text-leaf-ink">
            <Icon size={20} aria-hidden="true" />
          </span>
          <span className="min-w-0">
            <span className="block font-semibold">{title}</span>
            <span className="block text-faint text-sm">{text}</span>
          </span>
        </Link>
      </li>
    ))}
  </ul>
)
