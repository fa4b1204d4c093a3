import { type ReactNode, startTransition, useEffect, useState } from 'react'

/**
 * Shows its content once what is around it has been shown. That is for what nobody misses in the first moment: mounted with
 * all the rest, it would make a slow phone wait longer before it can react to a tap.
 */
export function Soon({ children }: { children: ReactNode }) {
  const [isDue, setDue] = useState(false)
  useEffect(() => startTransition(() => setDue(true)), [])
  return isDue ? children : <span hidden data-soon />
}
