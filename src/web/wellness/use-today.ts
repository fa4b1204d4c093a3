import { useCallback, useState } from 'react'
import type { OutputOf } from '../../protocol/route.ts'
import { type Gain, type WellnessToday, wellness } from '../../protocol/wellness.ts'
import { celebrate } from '../../ui/celebration.ts'
import { notify } from '../../ui/toast.tsx'
import { useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { queries } from '../shared/api/queries.tsx'

const REFRESH_MS = 60_000

/** Today's data. Refetched every minute and on events, to catch midnight and games that end in another tab. */
export function useToday() {
  const today = useRead(wellness.today, {}, { refetchIntervalMs: REFRESH_MS })
  const refresh = useCallback(() => void queries.invalidateQueries({ queryKey: [wellness.today.path] }), [])
  useEvent('wellness', refresh)
  useEvent('resync', refresh)
  return today
}

export function showToday(data: WellnessToday): void {
  queries.setQueryData<OutputOf<typeof wellness.today>>([wellness.today.path, {}], {
    status: 'success',
    Msg: 'Today',
    data,
  })
  void queries.invalidateQueries({ queryKey: [wellness.history.path] })
  void queries.invalidateQueries({ queryKey: [wellness.friends.path] })
}

/** A closed ring triggers an animation. A new level, a milestone or a perfect day also opens a dialog. */
export function useCelebration() {
  const [moment, setMoment] = useState<Gain>()
  const onGain = useCallback((gain: Gain, message: string) => {
    if (gain.closed.length === 0) {
      notify.success(message)
      return
    }
    celebrate()
    if (isMoment(gain)) setMoment(gain)
    else notify.success(message)
  }, [])
  return { moment, onGain, endMoment: () => setMoment(undefined) }
}

const isMoment = ({ level_after, level_before, milestone_days, perfect_day }: Gain): boolean =>
  level_after > level_before || milestone_days !== null || perfect_day
