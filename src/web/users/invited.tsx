import { brand } from '../../protocol/brand.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CheckStep } from '../shared/check/check-step.tsx'

/** Who invites, what this is, and one proof. The tap that joins is in the form below. */
export function Invited({ sponsor, isUnknown }: { sponsor: string | undefined; isUnknown: boolean }) {
  return (
    <Card weight="lead" className="grid gap-3">
      {sponsor || isUnknown ? (
        <p className="min-h-15 wrap-anywhere font-display text-2xl leading-tight">
          {isUnknown ? "We don't know this invitation. You can still join." : `${sponsor} invites you to ${brand.name}`}
        </p>
      ) : (
        <Skeleton className="h-15 bg-panel-line!" />
      )}
      <p className="text-on-panel-soft">
        Daily challenges, two games, and USDT plans. You can check every balance and every draw yourself.
      </p>
      <CheckStep onPanel />
    </Card>
  )
}
