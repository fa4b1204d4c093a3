import { useEffect, useState, useSyncExternalStore } from 'react'

const lists = new Map<string, MediaQueryList>()

/** One list for each query: React reads it at every render, and making one is slow. */
function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? matchMedia(query)
  lists.set(query, list)
  return list
}

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = listOf(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => listOf(query).matches,
  )
}

/** Phones and small tablets: 768 px or narrower. */
export const useNarrow = (): boolean => useMedia('(max-width: 768px)')

/** True while the page is scrolled past `threshold` and moving down; false again on the way up. */
export function useHiddenOnScroll(threshold: number): boolean {
  const [hidden, setHidden] = useState(false)
  useEffect(() => {
    // Not known until the page moves: reading it here would make the browser lay out the page at once.
    let last = Number.POSITIVE_INFINITY
    const follow = () => {
      if (scrollY !== last) setHidden(scrollY > last && scrollY > threshold)
      last = scrollY
    }
    addEventListener('scroll', follow, { passive: true })
    return () => removeEventListener('scroll', follow)
  }, [threshold])
  return hidden
}
