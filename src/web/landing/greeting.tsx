import { Link } from 'react-router'
import { noticeTexts } from '../../protocol/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { useStoredUser } from '../shared/api/use-stored-user.ts'

/** Logos lead here, also for signed-in users: it takes them back into the app with one tap. */
export function Greeting() {
  const user = useStoredUser()
  if (!user) return null
  return (
    <section aria-label="Welcome back" className="mx-auto max-w-[1200px] px-5 pt-3 sm:px-8">
      <div className="flex items-center justify-between gap-3 rounded-card bg-leaf-tint py-3 pr-3 pl-5">
        <p className="min-w-0 wrap-anywhere font-semibold">Welcome back, {user.username || noticeTexts.guest}!</p>
        <Link to="/user/home" className={`${buttonClass({ size: 's' })} shrink-0`}>
          Back to the app
        </Link>
      </div>
    </section>
  )
}
