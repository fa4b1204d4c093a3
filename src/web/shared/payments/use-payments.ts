import { useCallback, useEffect, useState } from 'react'
import type { KeptPayments, Payment } from './kept-payments.ts'

/** Payments on their way, from this browser and from the server. Each stays on the page until the user dismisses it. */
export function usePayments<Sent extends Payment>(kept: KeptPayments<Sent>, fromServer: Sent[] | undefined) {
  const [payments, setPayments] = useState<Sent[]>(kept.read)
  const watch = useCallback(
    (...more: Sent[]) =>
      setPayments((known) => {
        const hashes = new Set(known.map(({ trans_hash }) => trans_hash))
        return [...known, ...more.filter(({ trans_hash }) => !hashes.has(trans_hash))]
      }),
    [],
  )
  const add = useCallback(
    (sent: Sent) => {
      kept.remember(sent)
      watch(sent)
    },
    [kept, watch],
  )
  const dismiss = useCallback(
    (hash: string) => {
      kept.forget(hash)
      setPayments((known) => known.filter(({ trans_hash }) => trans_hash !== hash))
    },
    [kept],
  )
  useEffect(() => {
    if (fromServer && fromServer.length > 0) watch(...fromServer)
  }, [fromServer, watch])
  return { payments, add, dismiss }
}
