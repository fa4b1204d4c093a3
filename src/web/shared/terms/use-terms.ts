import { useCallback, useEffect, useRef } from 'react'
import type { OutputOf } from '../../../protocol/route.ts'
import { terms as routes, type Terms } from '../../../protocol/terms.ts'
import { type CallError, useRead } from '../api/api.ts'
import { useEvent } from '../api/events.ts'
import { queries } from '../api/queries.tsx'
import { serverNowMs } from '../api/server-clock.ts'

type Reply = OutputOf<typeof routes.read>

/** The server keeps its reply for some seconds, so the first one after the date may still be the old one. */
const AFTER_DATE_MS = 2_000
/** A timer cannot run longer than 24 days. */
const TIMER_MS_MAX = 86_400_000

/** How long until the terms change; not at all if nothing is announced. */
function untilChange(reply: Reply | undefined): number | false {
  const [next] = reply?.announced ?? []
  if (!next) return false
  return Math.min(TIMER_MS_MAX, Math.max(0, next.takes_effect_at.getTime() - serverNowMs()) + AFTER_DATE_MS)
}

/** Other replies contain figures of the terms as well, such as the fee of a withdrawal. */
function useRefreshAfterChange(version: number | undefined): void {
  const known = useRef(version)
  useEffect(() => {
    if (known.current !== undefined && version !== undefined && version !== known.current)
      void queries.invalidateQueries()
    known.current = version ?? known.current
  }, [version])
}

/** The terms in force and what is announced, from one query that all pages share. */
export function useTerms() {
  const { data, error, refetch } = useRead(routes.read, {}, { refetchIntervalMs: untilChange })
  const look = useCallback(() => void refetch(), [refetch])
  useEvent('terms', look)
  useEvent('resync', look)
  useRefreshAfterChange(data?.version)
  return { terms: data?.data, announced: data?.announced ?? [], error, refetch }
}

type Read<Data> = { data: Data | undefined; error: CallError | null; refetch: () => unknown }

/** Adds the terms to what a page reads. The page waits for both, and a retry reads both. */
export function useWithTerms<Data>(read: Read<Data>): Read<{ reply: Data; terms: Terms }> {
  const { terms, error, refetch } = useTerms()
  return {
    data: read.data !== undefined && terms ? { reply: read.data, terms } : undefined,
    error: read.error ?? error,
    refetch: () => [read.refetch(), refetch()],
  }
}
