import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { brand } from '../../../protocol/brand.ts'
import { figureText } from '../../../protocol/figures.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Logo } from '../../../ui/logo.tsx'
import { SiteFooter } from '../page/site-footer.tsx'
import { useTrial } from './trial.ts'

const links = [
  { to: '/play/colour', label: 'Colour game' },
  { to: '/play/quiz', label: 'Quiz' },
]

/** The frame of a page that can be played without an account: the two games, and signing up. */
export function TrialFrame({ current, children }: { current: string; children: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-3 px-4 py-2 sm:px-6 sm:py-6">
      <header className="flex items-center gap-2">
        <Link to="/" aria-label={`${brand.name}, start page`} className="mr-auto flex rounded-xl py-1">
          <Logo size={30} />
        </Link>
        <nav aria-label="Games to try" className="flex rounded-full bg-sunken p-1">
          {links.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              aria-current={to === current ? 'page' : undefined}
              className="grid h-10 place-items-center rounded-full px-4 font-semibold text-sm text-soft aria-[current]:bg-surface aria-[current]:text-ink aria-[current]:shadow-card"
            >
              {label}
            </Link>
          ))}
        </nav>
      </header>
      <main tabIndex={-1} className="grid gap-3 sm:gap-5">
        {children}
      </main>
      <SiteFooter className="mt-6 border-line border-t pt-6 pb-4" />
    </div>
  )
}

type KeepLinkProps = { variant: 'lime' | 'primary'; size?: 'm' | 'l' }

/** Leads to signing up: with points, once there are any to keep. */
export function KeepLink({ variant, size = 'm' }: KeepLinkProps) {
  const { best } = useTrial()
  return (
    <Link to="/login/register" className={buttonClass({ variant, size })}>
      {best ? `Keep my ${figureText(best.score)} points` : 'Sign up'}
    </Link>
  )
}
