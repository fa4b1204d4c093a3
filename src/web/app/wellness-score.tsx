import { wellness } from '../../protocol/wellness.ts'
import { WELLNESS_SCORE_DAYS, WELLNESS_SCORE_START } from '../../protocol/wellness-score.ts'
import { Progress } from '../../ui/progress.tsx'
import { useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { queries } from '../shared/api/queries.tsx'

const EXPLANATION = `Everyone starts at ${WELLNESS_SCORE_START}%. From your first logged activity on, it follows your rings of the last ${WELLNESS_SCORE_DAYS} days.`

const refresh = (): void => void queries.invalidateQueries({ queryKey: [wellness.today.path] })

/** The bar at the foot of the sidebar. Until the server replies it shows the start, without a figure. */
export function WellnessScore({ compact }: { compact: boolean }) {
  const score = useRead(wellness.today, {}).data?.data.score
  useEvent('wellness', refresh)
  useEvent('resync', refresh)
  return (
    <div title={EXPLANATION} className={compact ? 'px-1' : 'rounded-inner border border-line px-4 py-3'}>
      <p className={compact ? 'sr-only' : 'mb-2 flex justify-between gap-2 font-medium text-sm'}>
        Wellness Score {score !== undefined && <span className="figures text-faint">{score}%</span>}
      </p>
      <Progress value={(score ?? WELLNESS_SCORE_START) / 100} label="Wellness Score" />
    </div>
  )
}
