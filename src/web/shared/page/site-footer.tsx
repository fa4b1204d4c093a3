import { Link } from 'react-router'
import { brand } from '../../../protocol/brand.ts'
import { Logo } from '../../../ui/logo.tsx'

const links = [
  { to: '/trust', label: 'Check our books' },
  { to: '/help', label: 'Help' },
  { to: '/play-safely', label: 'Play safely' },
  { to: '/terms', label: 'Terms' },
  { to: '/privacy', label: 'Privacy' },
]

/** The end of every page. Hidden while something above it is read or comes later, because it would move. */
export function SiteFooter({ className = '' }: { className?: string }) {
  return (
    <footer
      className={`[main:has(.animate-rest,[data-soon])~&]:invisible flex flex-wrap items-center justify-between gap-x-8 gap-y-4 ${className}`}
    >
      <Link to="/" aria-label={`${brand.name}, start page`} className="flex rounded-xl py-1">
        <Logo size={28} />
      </Link>
      <nav aria-label="About" className="flex flex-wrap gap-x-5">
        {links.map(({ to, label }) => (
          <Link key={to} to={to} className="rounded-lg py-2.5 font-medium underline underline-offset-4">
            {label}
          </Link>
        ))}
      </nav>
      <p className="text-faint">
        © {new Date().getFullYear()} {brand.name}. {brand.footer}
      </p>
    </footer>
  )
}
