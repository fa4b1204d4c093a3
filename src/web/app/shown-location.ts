import { createContext, startTransition, use, useEffect, useLayoutEffect, useState } from 'react'
import { type Location, type NavigationType, useLocation, useNavigationType } from 'react-router'
import { isPageLoaded, loadPage } from './pages.ts'

/** Long enough for code that the browser has stored, short enough that a visitor soon sees that a page is loading. */
const WAIT_MS = 80

export type Shown = { location: Location; type: NavigationType }

/**
 * The location whose page is shown. It follows the address when the page's code is there, or after a short time. So a
 * page whose code loads quickly replaces the page before it, without "Loading..." in between.
 */
export function useShownLocation(): Shown {
  const location = useLocation()
  const type = useNavigationType()
  const [shown, setShown] = useState<Shown>({ location, type })
  useLayoutEffect(() => {
    let isStale = false
    const show = () => {
      if (!isStale) startTransition(() => setShown({ location, type }))
    }
    if (isPageLoaded(location.pathname)) return show()
    const timer = setTimeout(show, WAIT_MS)
    void loadPage(location.pathname).then(show)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [location, type])
  return shown
}

/** The path of the address. A slow phone shows its page some time after the tap, but what was tapped at once. */
export const AddressPath = createContext('/')

export const useAddressPath = (): string => use(AddressPath)

/** Starts to load a page's code when a pointer or the focus comes to a link to it: often before it is activated. */
export function useEarlyLoading(): void {
  useEffect(() => {
    const load = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.origin === location.origin) void loadPage(link.pathname)
    }
    const events = ['pointerover', 'pointerdown', 'focusin'] as const
    for (const type of events) addEventListener(type, load, { passive: true })
    return () => {
      for (const type of events) removeEventListener(type, load)
    }
  }, [])
}
