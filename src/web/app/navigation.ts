import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { brand } from '../../protocol/brand.ts'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${brand.name}`
  }, [title])
}

const RESTORE_MS = 1_500
/** The code and data of the page may have to load first. */
const HASH_MS = 15_000
/** What a visitor does to scroll. Then the page must not scroll by itself any more. */
const userScrolls = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const
const positions = new Map<string, number>()

/** A new page starts at the top, with focus on its content. Going back restores the scroll position. */
export function useFocusAndScroll(): void {
  const { key, pathname, hash } = useLocation()
  const type = useNavigationType()
  const shown = useRef(pathname)

  // A layout effect: this listener must be removed before the next page scrolls to the top, or it would store that.
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual'
    const remember = () => positions.set(key, scrollY)
    addEventListener('scroll', remember, { passive: true })
    return () => removeEventListener('scroll', remember)
  }, [key])

  useLayoutEffect(() => {
    if (shown.current === pathname && !hash) return
    const moved = shown.current !== pathname
    shown.current = pathname
    if (hash) return scrollToHash(hash)
    if (moved) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    if (type === 'POP') return restore(positions.get(key) ?? 0)
    scrollTo({ top: 0, behavior: 'instant' })
  }, [key, pathname, hash, type])
}

/** Also for a part of another page: it is found once that page has loaded. */
function scrollToHash(hash: string): () => void {
  return retryAsPageGrows(() => {
    document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
    // What is above it may still be loading.
    return false
  }, HASH_MS)
}

function restore(top: number): () => void {
  return retryAsPageGrows(() => {
    scrollTo({ top, behavior: 'instant' })
    return Math.abs(scrollY - top) <= 1
  }, RESTORE_MS)
}

/** The page may still be loading and too short, so this retries as it grows, until it works or the visitor scrolls. */
function retryAsPageGrows(isDone: () => boolean, timeoutMs: number): () => void {
  const attempt = () => {
    if (isDone()) stop()
  }
  const observer = new ResizeObserver(attempt)
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const type of userScrolls) removeEventListener(type, stop)
  }
  const timer = setTimeout(stop, timeoutMs)
  for (const type of userScrolls) addEventListener(type, stop, { passive: true })
  observer.observe(document.body)
  attempt()
  return stop
}
