import { lazy, Suspense, startTransition, useEffect, useState } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'
import { Day } from './day.tsx'
import { Features } from './features.tsx'
import { FloatingMenu } from './floating-menu.tsx'
import { Greeting } from './greeting.tsx'
import { Hero } from './hero.tsx'
import { LandingHeader } from './landing-header.tsx'
import { Remembered } from './remembered.tsx'
import { Risk } from './risk.tsx'
import { Statistics } from './statistics.tsx'
import { Steps } from './steps.tsx'
import { WhenNear } from './when-near.tsx'

const Trials = lazy(async () => ({ default: (await import('./trials.tsx')).Trials }))
const Plans = lazy(async () => ({ default: (await import('./plans.tsx')).Plans }))

export function LandingPage() {
  return (
    <div className="overflow-x-clip">
      <LandingHeader />
      <main tabIndex={-1}>
        <Greeting />
        <Remembered />
        <Hero />
        <Statistics />
        <Below turn={1}>
          <Features />
        </Below>
        <Below turn={2}>
          <Day />
        </Below>
        <Later id="games" height="min-h-[837px] sm:min-h-[774px] wide:min-h-[476px]" content={<Trials />} />
        <Below turn={3}>
          <Steps />
        </Below>
        <Later id="marketplace" height="min-h-[1447px] sm:min-h-[800px] wide:min-h-[543px]" content={<Plans />} />
        <Below turn={4}>
          <Risk />
        </Below>
      </main>
      <SiteFooter className="mx-auto max-w-[1200px] px-5 pt-10 pb-28 sm:px-8 wide:pb-10" />
      <FloatingMenu />
    </div>
  )
}

const TURN_MS = 60

/** Sections below the first screen are rendered one at a time, so the first screen responds to input immediately. */
function Below({ turn, children }: { turn: number; children: React.ReactNode }) {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setDue(true)), turn * TURN_MS)
    return () => clearTimeout(timer)
  }, [turn])
  return isDue ? children : <div className="min-h-[760px]" />
}

/** A section whose code loads when the visitor scrolls near it. A placeholder of the same height prevents a layout shift. */
function Later({ id, height, content }: { id: string; height: string; content: React.ReactNode }) {
  const placeholder = <Skeleton className={`rounded-card ${height}`} />
  return (
    <section id={id} className="mx-auto max-w-[1200px] px-5 py-14 sm:px-8 wide:py-20">
      <WhenNear placeholder={placeholder}>
        <Suspense fallback={placeholder}>{content}</Suspense>
      </WhenNear>
    </section>
  )
}
