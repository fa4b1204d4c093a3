import { Copy } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { walletApps } from './wallet-apps.ts'

const Qr = lazy(async () => ({ default: (await import('../../ui/qr.tsx')).Qr }))

type NoWalletProps = { page: string; isInvited: boolean }

/** A phone's browser has no wallets. Their apps have browsers, which open this page with the invitation. */
export const OpenInApp = ({ page, isInvited }: NoWalletProps) => (
  <section aria-labelledby="open-in-app" className="grid gap-3">
    <h2 id="open-in-app" className="font-semibold text-base">
      Open this page in your wallet app
    </h2>
    <div className="grid grid-cols-2 gap-2">
      {walletApps.map(({ name, open }) => (
        <a key={name} href={open(page)} className={buttonClass({ variant: 'outline', wide: true })}>
          {name}
        </a>
      ))}
      <Button
        variant="quiet"
        wide
        icon={<Copy size={18} aria-hidden="true" />}
        onClick={() => copyText(page, 'Link copied. Open it in the browser of your wallet app.')}
      >
        Copy link
      </Button>
    </div>
    <p className="text-soft text-sm">
      Binance Wallet or another one: copy the link and open it in the browser of the app.
      {isInvited && ' Your invitation comes along.'}
    </p>
  </section>
)

/** A computer's browser without a wallet: continue on a phone, or install one here. */
export const OtherDevice = ({ page, isInvited }: NoWalletProps) => (
  <section aria-labelledby="other-device" className="grid gap-4 rounded-inner bg-sunken p-5">
    <div className="flex flex-wrap items-center gap-5">
      <Suspense fallback={<Skeleton className="size-[168px] rounded-inner" />}>
        <Qr text={page} label="This page, to scan with a phone" size={136} />
      </Suspense>
      <div className="min-w-36 flex-1">
        <h2 id="other-device" className="font-semibold text-lg leading-snug">
          Continue on your phone
        </h2>
        <p className="mt-1 text-soft text-sm">
          Scan this with your phone.{isInvited && ' Your invitation comes along.'}
        </p>
      </div>
    </div>
    <p className="text-soft text-sm">
      No wallet found in this browser. Install one that supports BSC, then reload this page:{' '}
      {walletApps.map(({ name, download }, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <a
            href={download}
            target="_blank"
            rel="noopener noreferrer"
            className="whitespace-nowrap underline underline-offset-4"
          >
            {name}
          </a>
        </span>
      ))}
      .
    </p>
  </section>
)
