import { useCallback, useState } from 'react'
import { support } from '../../protocol/support.ts'
import { wellness } from '../../protocol/wellness.ts'
import { celebrate } from '../../ui/celebration.ts'
import { notify } from '../../ui/toast.tsx'
import { useEvent } from '../shared/api/events.ts'
import { queries } from '../shared/api/queries.tsx'
import { BreathingGuide } from '../shared/breathing/guide.tsx'
import { TermsNotice } from '../shared/terms/terms-notice.tsx'
import { CrisisCard } from './crisis-card.tsx'
import { Guides } from './guides.tsx'
import { HealthCard } from './health-card.tsx'
import { Requests } from './requests.tsx'
import { StretchGuide } from './stretch-guide.tsx'
import type { Routine } from './stretches.ts'

/** Health Support: the health balance and its release, breathing and stretching guides, and support requests. */
export function SupportPage() {
  const [isBreathing, setIsBreathing] = useState(false)
  const [routine, setRoutine] = useState<Routine>()
  const [isUrgent, setIsUrgent] = useState(false)
  const refresh = useCallback(() => {
    for (const { path } of [support.requests, support.thread]) void queries.invalidateQueries({ queryKey: [path] })
  }, [])
  useEvent('support', refresh)
  return (
    <div className="grid gap-5 wide:gap-6">
      <header>
        <h1 className="text-3xl sm:text-4xl">Health Support</h1>
        <p className="mt-2 text-lg text-soft">Look after yourself. We're here to help.</p>
      </header>
      <TermsNotice about="health" className="" />
      {isUrgent && <CrisisCard />}
      <div className="grid gap-5 lg:grid-cols-[1.1fr_1fr] wide:gap-6">
        <HealthCard />
        <Guides onBreathe={() => setIsBreathing(true)} onStretch={setRoutine} />
      </div>
      <Requests onUrgent={setIsUrgent} />
      {!isUrgent && <CrisisCard quiet />}
      {isBreathing && (
        <BreathingGuide
          suggested="long_exhale"
          onClose={() => setIsBreathing(false)}
          onDone={({ gain, Msg }) => {
            setIsBreathing(false)
            if (gain.closed.length > 0) celebrate()
            notify.success(gain.closed.length > 0 ? Msg : 'Well done')
            for (const { path } of [wellness.today, wellness.history, support.health])
              void queries.invalidateQueries({ queryKey: [path] })
          }}
        />
      )}
      {routine && <StretchGuide routine={routine} onClose={() => setRoutine(undefined)} />}
    </div>
  )
}
