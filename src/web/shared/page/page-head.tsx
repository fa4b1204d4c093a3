import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'

export const pageTitleClass = 'wrap-anywhere text-4xl sm:text-5xl'

/** `note` explains a title that is not plain English. */
type PageHeadProps = { title: string; note?: string; subtitle: ReactNode; aside?: ReactNode }

export function PageHead({ title, note, subtitle, aside }: PageHeadProps) {
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-4 sm:mb-8">
      <div className="grid min-w-0 gap-1.5">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h1 className={pageTitleClass}>{title}</h1>
          {note && <p className="text-faint text-lg">{note}</p>}
        </div>
        <p className="text-lg text-soft">{subtitle}</p>
      </div>
      {aside}
    </div>
  )
}

type HeadLinkProps = { to: string; icon: LucideIcon; children: string }

/** A link to a related page, beside the title. */
export const HeadLink = ({ to, icon: Icon, children }: HeadLinkProps) => (
  <Link to={to} className={buttonClass({ variant: 'outline', size: 's' })}>
    <Icon size={16} aria-hidden="true" />
    {children}
  </Link>
)
