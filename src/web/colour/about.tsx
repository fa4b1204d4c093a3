import { RETURN_PERCENT } from '../../protocol/colour-odds.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PageHead } from '../shared/page/page-head.tsx'

/** What the page shows before anything is read: also in the document, before its code has loaded (first-paint.tsx). */
const ABOUT = `On average ${RETURN_PERCENT}% of stakes are paid back: it's a game, not an income.`

export const WideHead = () => <PageHead title="Colour game" subtitle={ABOUT} />

export const About = () => <p className="text-soft wide:hidden">{ABOUT}</p>

export const PageSkeleton = () => (
  <div className="grid gap-5 wide:grid-cols-2" role="status" aria-label="Loading the round">
    <Skeleton className="h-[480px] rounded-card" />
    <About />
    <Skeleton className="h-[480px] rounded-card" />
    <Skeleton className="h-32 rounded-card wide:col-span-2" />
  </div>
)
