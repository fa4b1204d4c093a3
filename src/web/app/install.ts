import { useSyncExternalStore } from 'react'

/** Chromium's event: the app can be installed. The browser would ask at once, so the event is kept for later. */
type InstallEvent = Event & { prompt: () => Promise<unknown> }

let kept: InstallEvent | undefined
const listeners = new Set<() => void>()
const change = (event: InstallEvent | undefined) => {
  kept = event
  for (const listener of listeners) listener()
}

/** Called once, before the page is rendered: the event comes soon after loading, and only once. */
export function keepInstallEvent(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    change(event as InstallEvent)
  })
  addEventListener('appinstalled', () => change(undefined))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Asks the browser to install the app. Undefined while it cannot. */
export function useInstall(): (() => void) | undefined {
  const event = useSyncExternalStore(subscribe, () => kept)
  return (
    event &&
    (() => {
      change(undefined)
      void event.prompt()
    })
  )
}

/** Safari on iPhone and iPad has no such event: people install from its Share menu. */
export const isSafariOnPhone = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) && !matchMedia('(display-mode: standalone)').matches
