import { startTransition, useEffect, useState } from 'react'
import { Day } from './day.tsx'
import { Features } from './features.tsx'
import { Plans } from './plans.tsx'
import { Risk } from './risk.tsx'
import { Steps } from './steps.tsx'
import { Trials } from './trials.tsx'

const sections = [Features, Day, Trials, Steps, Plans, Risk]
const TURN_MS = 60

/**
 * The sections below the first screen. They are added one at a time, so the page responds to input meanwhile, and always
 * at its end, so nothing that a visitor has scrolled to moves. The footer follows when the page is whole.
 */
export function Rest({ onWhole }: { onWhole: () => void }) {
  const [count, setCount] = useState(1)
  useEffect(() => {
    if (count === sections.length) return onWhole()
    const timer = setTimeout(() => startTransition(() => setCount(count + 1)), TURN_MS)
    return () => clearTimeout(timer)
  }, [count, onWhole])
  return sections.slice(0, count).map((Section) => <Section key={Section.name} />)
}
