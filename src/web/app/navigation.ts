import { useEffect, useLayoutEffect, useRef } from 'react'
import { brand } from '../../protocol/brand.ts'
import type { Shown } from './shown-location.ts'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${brand.name}`
  }, [title])
}

const RESTORE_MS = 1_500
/** What is above a part of the page may load after it. */
const HASH_MS = 15_000
/** What a visitor does to scroll. Then the page must not scroll on its own any more. */
const scrolls = ['wheel', 'touchmove', 'keydown'] as const
/** Also a tap: what the visitor taps must not move. */
const acts = [...scrolls, 'pointerdown', 'touchstart'] as const
const positions = new Map<string, number>()

/** A new page starts at the top, with focus on its content. Going back restores the scroll position. */
export function useFocusAndScroll({ location: { key, pathname, hash }, type }: Shown): void {
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

/** Also for a part that is not there yet, of this page or another one: however long its code and data take to load. */
function scrollToHash(hash: string): () => void {
  const find = () => document.getElementById(hash.slice(1))
  const stay = () => {
    find()?.scrollIntoView()
    return false
  }
  let leave = () => {}
  const stopWaiting = retryAsPageGrows(() => {
    if (!find()) return false
    leave = retryAsPageGrows(stay, acts, HASH_MS)
    return true
  }, scrolls)
  return () => {
    stopWaiting()
    leave()
  }
}

function restore(top: number): () => void {
  return retryAsPageGrows(
    () => {
      scrollTo({ top, behavior: 'instant' })
      return Math.abs(scrollY - top) <= 1
    },
    acts,
    RESTORE_MS,
  )
}

/** The page may still be loading and too short, so this retries as it grows, until it works or the visitor acts. */
function retryAsPageGrows(isDone: () => boolean, stoppers: readonly string[], timeoutMs?: number): () => void {
  const attempt = () => {
    if (isDone()) stop()
  }
  const observer = new ResizeObserver(attempt)
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const type of stoppers) removeEventListener(type, stop)
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)
  for (const type of stoppers) addEventListener(type, stop, { passive: true })
  observer.observe(document.body)
  attempt()
  return stop
}
