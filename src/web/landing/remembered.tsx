import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import { chooseEntry } from '../shared/wallet/chosen-entry.ts'
import { lastWallet } from '../shared/wallet/last-wallet.ts'

/** For a signed-out user whose browser remembers the wallet: one tap opens it and signs in. */
export function Remembered() {
  const user = useStoredUser()
  const last = lastWallet()
  if (user || !last) return null
  return (
    <section aria-label="Welcome back" className="mx-auto max-w-[1200px] px-5 pt-3 sm:px-8">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card bg-leaf-tint py-3 pr-3 pl-5">
        <p className="min-w-0">
          <span className="font-semibold">Welcome back</span>
          <span className="text-soft"> · {last.name}</span>
        </p>
        <div className="flex grow flex-wrap justify-end gap-2">
          <Link
            to="/login/register"
            onClick={() => chooseEntry('another')}
            className={`${buttonClass({ size: 's', variant: 'bare' })} max-sm:grow`}
          >
            Use another
          </Link>
          <Link
            to="/login/register"
            onClick={() => chooseEntry('again')}
            className={`${buttonClass({ size: 's' })} max-sm:grow`}
          >
            Sign in as {last.address}
          </Link>
        </div>
      </div>
    </section>
  )
}
