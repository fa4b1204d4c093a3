import { Leaf } from 'lucide-react'
import { Link } from 'react-router'
import { brand } from '../../protocol/brand.ts'
import { keptReasons } from '../../protocol/deletion.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PublicHeader } from '../shared/page/public-header.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'
import { KeptList } from './kept-list.tsx'

/** Shown once the account is deleted. */
export function GoodbyePage() {
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6 px-4 py-4 sm:px-6">
      <PublicHeader />
      <main tabIndex={-1}>
        <Card padding="l" className="grid justify-items-start gap-4">
          <Leaf size={32} className="text-soft" aria-hidden="true" />
          <h1 className="text-3xl">Your account is deleted</h1>
          <p className="text-soft">
            You are signed out everywhere, and this browser has forgotten you. Thank you for being part of {brand.name}.
          </p>
          <p className="text-soft">
            Do not send USDT from your wallet or to your deposit address any more: there is no balance that it could go
            to. If you join again with the same wallet, you get a new account.
          </p>
          <KeptList kept={keptReasons()} />
          <Link to="/" className={buttonClass({ variant: 'outline' })}>
            Go to the start page
          </Link>
        </Card>
      </main>
      <SiteFooter />
    </div>
  )
}
