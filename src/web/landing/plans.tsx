import '../shared/api/no-eval.ts'
import { useCallback, useEffect, useState } from 'react'
import type { OutputOf } from '../../protocol/route.ts'
import { type Tier, terms } from '../../protocol/terms.ts'
import { percentText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CallError, call } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { Announced } from '../shared/terms/announced.tsx'

type Reply = OutputOf<typeof terms.read>

/** The plan tiers, each with its risk next to its rate. */
export function Plans() {
  const { reply, error, retry } = useReply()
  return (
    <div className="animate-fade">
      <h2 className="mb-4 text-[clamp(2rem,6vw,3.5rem)]">Plans in plain numbers</h2>
      <p className="mb-8 max-w-[36em] text-lg text-soft wide:mb-12">
        You lock USDT for a fixed term and earn a daily reward on it. When the term ends, you get the full amount back.
        Rewards are paid from the operator's own pools and are not guaranteed: if a pool is empty, your reward waits
        until it is funded again.
      </p>
      {reply && <Announced announced={reply.announced} about="plans" />}
      {reply ? (
        <Tiers tiers={reply.data.tiers} />
      ) : error ? (
        <FailedRead error={error} onRetry={retry} />
      ) : (
        <Skeleton className="h-72 rounded-card" />
      )}
    </div>
  )
}

/** The landing page has no query cache, so it calls once. */
function useReply() {
  const [reply, setReply] = useState<Reply>()
  const [error, setError] = useState<CallError>()
  const load = useCallback(() => {
    call(terms.read, {}).then(setReply, (failure: unknown) => failure instanceof CallError && setError(failure))
  }, [])
  useEffect(load, [load])
  const retry = () => {
    setError(undefined)
    load()
  }
  return { reply, error, retry }
}

function Tiers({ tiers }: { tiers: readonly Tier[] }) {
  const daysMax = Math.max(...tiers.map(({ termDays }) => termDays))
  return (
    <ul className="grid gap-4 min-[560px]:grid-cols-2 wide:grid-cols-4">
      {tiers.map(({ name, from, dailyRatePpm, termDays }) => (
        <li key={name} className="grid content-start gap-5 rounded-card bg-surface p-6 shadow-card">
          <div className="flex items-center justify-between">
            <h3 className="text-2xl">{name}</h3>
            <Ring value={termDays / daysMax} size={52} stroke={6} label={`Term of ${name}`}>
              <span className="figures font-semibold text-xs">{termDays}d</span>
            </Ring>
          </div>
          <p>
            <span className="font-display text-4xl">{percentText(dailyRatePpm)}</span>
            <span className="ml-1.5 text-faint">a day</span>
          </p>
          <dl className="grid gap-1.5 text-soft">
            <div className="flex justify-between gap-2">
              <dt>From</dt>
              <dd>
                <Money amount={from} className="font-semibold text-ink" />
              </dd>
            </div>
            <div className="flex justify-between gap-2">
              <dt>Term</dt>
              <dd className="font-semibold text-ink">{termDays} days</dd>
            </div>
          </dl>
          <p className="border-line border-t pt-3 text-faint text-sm">Not guaranteed. Locked until the term ends.</p>
        </li>
      ))}
    </ul>
  )
}
