import { dateTimeText, durationText } from '../../../ui/format.ts'
import { secondsSince } from '../api/server-clock.ts'
import { useNow } from './use-now.ts'

/** The age of a figure, counted from when the server measured it. */
export function AsOf({ at, className = '' }: { at: Date; className?: string }) {
  const nowMs = useNow(1_000)
  return (
    <time dateTime={at.toISOString()} title={dateTimeText(at)} className={`figures ${className}`}>
      as of {durationText(secondsSince(at, nowMs))} ago
    </time>
  )
}
