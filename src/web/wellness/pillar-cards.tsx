import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { WellnessRing, WellnessToday } from '../../protocol/wellness.ts'
import { POINTS_CHALLENGE } from '../../protocol/wellness-day.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Ring } from '../../ui/ring.tsx'
import { tintByTone } from '../../ui/tone.ts'
import { goalText, pillars } from './pillars.ts'
import type { Action } from './wellness-page.tsx'

type PillarCardsProps = { today: WellnessToday; onAction: (action: Action) => void }

/** One card per pillar: today's challenge, its progress and its action. The next open ring is highlighted. */
export function PillarCards({ today, onAction }: PillarCardsProps) {
  const next = today.rings.find(({ closed }) => !closed)?.pillar
  return (
    <section aria-label="Today's challenges" className="grid gap-4 sm:grid-cols-2 wide:gap-5 xl:grid-cols-4">
      {today.rings.map((ring) => (
        <PillarCard key={ring.pillar} ring={ring} action={actionOf(ring, ring.pillar === next, onAction)} />
      ))}
    </section>
  )
}

function actionOf(ring: WellnessRing, isNext: boolean, onAction: (action: Action) => void): ReactNode {
  const variant = isNext ? 'primary' : ring.closed ? 'quiet' : 'outline'
  if (ring.pillar === 'challenges')
    return (
      <Link to="/user/quize-game" className={buttonClass({ variant, wide: true })}>
        {ring.closed ? 'Play again' : 'Play the quiz'}
      </Link>
    )
  const [action, text] = actions[ring.pillar]
  return (
    <Button variant={variant} wide onClick={() => onAction(action)}>
      {text}
    </Button>
  )
}

const actions: Record<Exclude<WellnessRing['pillar'], 'challenges'>, [Action, string]> = {
  activity: ['activity', 'Log activity'],
  nutrition: ['meal', 'Log a meal'],
  mindfulness: ['breathing', 'Breathe'],
}

function PillarCard({ ring, action }: { ring: WellnessRing; action: ReactNode }) {
  const { name, tone, icon: Icon } = pillars[ring.pillar]
  return (
    <Card className="grid gap-4 sm:grid-rows-[1fr_auto]" aria-label={name}>
      <div className="grid grid-cols-[auto_1fr] gap-4 sm:grid-cols-1 sm:content-start">
        <div className="flex items-start justify-between gap-3">
          <Ring
            value={ring.share}
            size={64}
            stroke={8}
            tone={tone}
            label={`${name}: ${Math.floor(ring.share * 100)} percent`}
          >
            <span className={`grid size-9 place-items-center rounded-full ${tintByTone[tone]}`}>
              {ring.closed ? (
                <Check size={20} strokeWidth={3} aria-hidden="true" />
              ) : (
                <Icon size={20} aria-hidden="true" />
              )}
            </span>
          </Ring>
          <span className="hidden sm:block">
            <Reward closed={ring.closed} />
          </span>
        </div>
        <div className="grid content-start gap-1.5">
          <div className="flex items-start justify-between gap-2">
            <h2 className="text-xl">{ring.title}</h2>
            <span className="sm:hidden">
              <Reward closed={ring.closed} />
            </span>
          </div>
          <p className="text-soft">{ring.text}</p>
          <p className="figures font-semibold text-faint text-sm">{ring.goals.map(goalText).join(' · ')}</p>
        </div>
      </div>
      {action}
    </Card>
  )
}

const Reward = ({ closed }: { closed: boolean }) => (
  <Badge tone={closed ? 'leaf' : 'ink'}>{closed ? 'Closed' : `+${POINTS_CHALLENGE} points`}</Badge>
)
