import '../shared/api/no-eval.ts'
import { useCallback, useEffect, useState } from 'react'
import type { OutputOf } from '../../protocol/route.ts'
import { terms } from '../../protocol/terms.ts'
import { percentText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { CallError, call } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { Announced } from '../shared/terms/announced.tsx'
import { TierCard, TierFrames, tierGridClass } from './tier-card.tsx'

type Reply = OutputOf<typeof terms.read>

/** The plan tiers of today's terms, and announced changes. */
export function Tiers() {
  const { reply, error, retry } = useReply()
  if (error) return <FailedRead error={error} onRetry={retry} />
  if (!reply) return <TierFrames />
  const { tiers } = reply.data
  const daysMax = Math.max(...tiers.map(({ termDays }) => termDays))
  return (
    <>
      <Announced announced={reply.announced} about="plans" />
      <ul className={tierGridClass}>
        {tiers.map(({ name, from, dailyRatePpm, termDays }) => (
          <TierCard
            key={name}
            name={name}
            ring={
              <Ring value={termDays / daysMax} size={52} stroke={6} label={`Term of ${name}`}>
                <span className="figures font-semibold text-xs">{termDays}d</span>
              </Ring>
            }
            rate={percentText(dailyRatePpm)}
            from={<Money amount={from} />}
            term={`${termDays} days`}
          />
        ))}
      </ul>
    </>
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
