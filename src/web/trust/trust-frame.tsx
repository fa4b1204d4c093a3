import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PublicHeader } from '../shared/page/public-header.tsx'

/** The top of the trust page, which needs no data. The document has it too, so that it can be read before the code loads. */
export const TrustFrame = ({ children, footer }: { children: ReactNode; footer?: ReactNode }) => (
  <div className="mx-auto grid w-full max-w-5xl gap-6 px-5 py-6 sm:py-10">
    <PublicHeader />
    <main tabIndex={-1} className="grid min-h-dvh content-start gap-6">
      <div>
        <h1 className="font-display text-4xl">Don't trust us. Check.</h1>
        <p className="mt-2 max-w-2xl text-lg text-soft">
          Every figure on this page is computed from the ledger and the chain, and shows how old it is. None is entered
          by hand.
        </p>
      </div>
      {children}
    </main>
    {footer}
  </div>
)

export const FiguresSkeleton = () => <Skeleton className="h-72 w-full rounded-card" />
