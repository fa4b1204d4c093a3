import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Ring } from '../../ui/ring.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'

export function NotFoundPage() {
  return (
    <div className="mx-auto grid min-h-[calc(100dvh-1.75rem)] max-w-5xl grid-rows-[1fr_auto] gap-8 px-5 py-6">
      <main tabIndex={-1} className="mx-auto grid max-w-md content-center justify-items-center gap-6 text-center">
        <Link to="/" className="rounded-xl">
          <Logo />
        </Link>
        <Ring value={0.86} size={180} stroke={16} tone="coral">
          <span className="font-display text-5xl">404</span>
        </Ring>
        <div className="grid gap-2">
          <h1 className="text-3xl">We can't find this page</h1>
          <p className="text-soft">The link may be incomplete or out of date. Your account is not affected.</p>
        </div>
        <Link to="/" className={buttonClass()}>
          Go to the start page
        </Link>
      </main>
      <SiteFooter className="border-line border-t pt-6" />
    </div>
  )
}
