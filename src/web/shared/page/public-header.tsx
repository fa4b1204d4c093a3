import { Link } from 'react-router'
import { brand } from '../../../protocol/brand.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Logo } from '../../../ui/logo.tsx'

/** The top of the pages that need no sign-in, except the landing page. */
export const PublicHeader = () => (
  <header className="flex items-center justify-between gap-4">
    <Link to="/" aria-label={`${brand.name}, start page`}>
      <Logo />
    </Link>
    <Link to="/user/home" className={buttonClass({ variant: 'outline', size: 's' })}>
      Open the app
    </Link>
  </header>
)
