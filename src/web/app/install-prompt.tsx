import { Share, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { brand } from '../../protocol/brand.ts'
import { dayOf } from '../../protocol/time.ts'
import { wellness } from '../../protocol/wellness.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useRead } from '../shared/api/api.ts'
import { readKey, writeKey } from '../shared/api/key-store.ts'
import { isSafariOnPhone, useInstall } from './install.ts'

const FIRST_DAY = 'first-day'
const DISMISSED = 'install-dismissed'

/** Offers to install the app to people who have come to use it: after their first closed ring, or on another day. */
export function InstallPrompt() {
  const { isWelcome, dismiss } = useDismissal()
  const [isAnotherDay] = useState(cameBefore)
  const install = useInstall()
  const canInstall = install !== undefined || isSafariOnPhone()
  const today = useRead(wellness.today, {}, { enabled: canInstall })
  const hasClosedRing = (today.data?.data.streak.longest ?? 0) > 0
  if (!isWelcome || !canInstall || !(isAnotherDay || hasClosedRing)) return null
  return (
    <section
      aria-label="Install the app"
      className="fixed inset-x-3 bottom-[max(5.5rem,env(safe-area-inset-bottom))] z-30 mx-auto flex w-fit max-w-full animate-rise items-center gap-3 rounded-[20px] border border-panel-line bg-panel py-2 pr-2 pl-5 text-on-panel shadow-lift wide:bottom-6"
    >
      {install ? (
        <>
          <p>Keep {brand.name} on your home screen?</p>
          <Button variant="lime" size="s" onClick={install}>
            Install
          </Button>
        </>
      ) : (
        <p>
          To keep {brand.name} on your home screen, tap{' '}
          <Share size={17} aria-label="Share" className="inline align-text-bottom text-lime" />, then “Add to Home
          Screen”.
        </p>
      )}
      <IconButton label="Don't ask again" onClick={dismiss} className="text-on-panel-soft! hover:bg-panel-line">
        <X size={20} aria-hidden="true" />
      </IconButton>
    </section>
  )
}

/** Kept with the keys, because signing out does not clear those: a user who declined is not asked again on this device. */
function useDismissal() {
  const [isWelcome, setWelcome] = useState(false)
  useEffect(() => {
    readKey<string>(DISMISSED).then(
      (answer) => setWelcome(answer === undefined),
      () => undefined,
    )
  }, [])
  // Hidden only when the answer is stored: a user who reloads at once must not be asked again.
  const dismiss = () =>
    writeKey(DISMISSED, 'yes')
      .catch(() => undefined)
      .then(() => setWelcome(false))
  return { isWelcome, dismiss }
}

/** Whether this browser was here on an earlier day. Remembers today if it was not. */
function cameBefore(): boolean {
  try {
    const [first, today] = [localStorage.getItem(FIRST_DAY), dayOf(new Date())]
    if (first === null) localStorage.setItem(FIRST_DAY, today)
    return first !== null && first !== today
  } catch {
    return false
  }
}
