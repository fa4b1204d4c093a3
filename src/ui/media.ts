import { useEffect, useState, useSyncExternalStore } from 'react'

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

/** Phones and small tablets: 768 px or narrower. */
export const useNarrow = (): boolean => useMedia('(max-width: 768px)')

/** True while the page is scrolled past `threshold` and moving down; false again on the way up. */
export function useHiddenOnScroll(threshold: number): boolean {
  const [hidden, setHidden] = useState(false)
  useEffect(() => {
    let last = scrollY
    const follow = () => {
      if (scrollY !== last) setHidden(scrollY > last && scrollY > threshold)
      last = scrollY
    }
    addEventListener('scroll', follow, { passive: true })
    return () => removeEventListener('scroll', follow)
  }, [threshold])
  return hidden
}
