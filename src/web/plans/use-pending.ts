import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { Details } from '../../protocol/balance.ts'
import type { Address } from '../../protocol/ids.ts'
import { plans } from '../../protocol/plans.ts'
import { noticeTexts } from '../../protocol/texts.ts'
import { celebrate } from '../../ui/celebration.ts'
import { notify } from '../../ui/toast.tsx'
import { CallError, call } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { refreshDetails } from '../shared/money/details.ts'
import { forgetUnposted, readUnposted, type Unposted } from './unposted.ts'

const POLL_MS = 2_000

/** Pending purchases, from this browser and from the server. Each stays on the page until the user dismisses it. */
export function usePending(details: Details | undefined) {
  const [pending, setPending] = useState<Unposted[]>(readUnposted)
  const watch = useCallback(
    (...purchases: Unposted[]) =>
      setPending((known) => {
        const hashes = new Set(known.map(({ trans_hash }) => trans_hash))
        return [...known, ...purchases.filter(({ trans_hash }) => !hashes.has(trans_hash))]
      }),
    [],
  )
  const dismiss = useCallback((hash: string) => {
    forgetUnposted(hash)
    setPending((known) => known.filter(({ trans_hash }) => trans_hash !== hash))
  }, [])
  const fromServer = details?.pending
  useEffect(() => {
    if (fromServer && fromServer.length > 0) watch(...fromServer)
  }, [fromServer, watch])
  return { pending, watch, dismiss }
}

export type Progress = {
  state: 'sent' | 'confirming' | 'active' | 'failed'
  confirmations: number
  needed: number
  message: string
}

/** Posts a purchase and polls until it is active or has failed, also while the server or the chain is down. */
export function useProgress(purchase: Unposted, addresses: { from: Address; to: Address }): Progress {
  const { trans_hash, usdt_amount, package_type } = purchase
  const { data, error, refetch } = useQuery({
    queryKey: [plans.buy.path, trans_hash],
    queryFn: async () => {
      const reply = await call(plans.buy, {
        usdt_amount,
        from_address: addresses.from,
        to_address: addresses.to,
        trans_hash,
        package_type,
      })
      forgetUnposted(trans_hash)
      return reply
    },
    refetchInterval: ({ state }) => (state.data?.status === 'success' || isFinal(state.error) ? false : POLL_MS),
    retry: false,
    staleTime: 0,
  })
  useEvent(
    'deposit',
    useCallback(() => void refetch(), [refetch]),
  )
  const isActive = data?.status === 'success'
  useEffect(() => {
    if (!isActive) return
    notify.success(noticeTexts.planPurchased)
    celebrate()
    void refreshDetails()
  }, [isActive])

  const counts = { confirmations: data?.confirmations ?? 0, needed: data?.confirmations_needed ?? 0 }
  if (isFinal(error)) return { state: 'failed', ...counts, message: error?.message ?? '' }
  if (isActive) return { state: 'active', ...counts, message: data.Msg }
  const message = data?.Msg ?? error?.message ?? 'Sending your purchase to the server'
  return { state: counts.confirmations > 0 ? 'confirming' : 'sent', ...counts, message }
}

const transient = new Set(['unavailable', 'internal', 'chain_unavailable', 'rate_limited'])
const isFinal = (error: Error | null): boolean => error instanceof CallError && !transient.has(error.code)
