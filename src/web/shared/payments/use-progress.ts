import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { CallError } from '../api/api.ts'
import { useEvent } from '../api/events.ts'

const POLL_MS = 2_000

type Reply = { status: 'success' | 'pending'; Msg: string; confirmations: number; confirmations_needed: number }

export type Progress = {
  state: 'sent' | 'confirming' | 'done' | 'failed'
  confirmations: number
  needed: number
  message: string
}

type Posting = {
  path: string
  hash: string
  /** Reports the payment. Safe to repeat: the reply is its progress. */
  post: () => Promise<Reply>
  onDone: () => void
}

/** Posts a payment and polls until it is credited or has failed, also while the server or the chain is down. */
export function useProgress({ path, hash, post, onDone }: Posting): Progress {
  const { data, error, refetch } = useQuery({
    queryKey: [path, hash],
    queryFn: post,
    refetchInterval: ({ state }) => (state.data?.status === 'success' || isFinal(state.error) ? false : POLL_MS),
    retry: false,
    staleTime: 0,
  })
  useEvent(
    'deposit',
    useCallback(() => void refetch(), [refetch]),
  )
  const isDone = data?.status === 'success'
  const whenDone = useRef(onDone)
  whenDone.current = onDone
  useEffect(() => {
    if (isDone) whenDone.current()
  }, [isDone])

  const counts = { confirmations: data?.confirmations ?? 0, needed: data?.confirmations_needed ?? 0 }
  if (isFinal(error)) return { state: 'failed', ...counts, message: error?.message ?? '' }
  if (isDone) return { state: 'done', ...counts, message: data.Msg }
  const message = data?.Msg ?? error?.message ?? 'Sending your payment to the server'
  return { state: counts.confirmations > 0 ? 'confirming' : 'sent', ...counts, message }
}

const transient = new Set(['unavailable', 'internal', 'chain_unavailable', 'rate_limited'])
const isFinal = (error: Error | null): boolean => error instanceof CallError && !transient.has(error.code)
