import { CirclePause } from 'lucide-react'
import { useCallback } from 'react'
import { Link } from 'react-router'
import { trust } from '../../protocol/trust.ts'
import { useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'

const REFRESH_MS = 60_000

/** Shown above every page while payouts and bets are paused, with the reason. */
export function HaltBanner() {
  const { data, refetch } = useRead(trust.halt, {}, { refetchIntervalMs: REFRESH_MS })
  const look = useCallback(() => void refetch(), [refetch])
  useEvent('halt', look)
  useEvent('resync', look)
  if (!data?.halted) return null
  return (
    <div role="alert" className="mb-5 flex items-start gap-3 rounded-card bg-coral-tint px-5 py-4 text-coral-ink">
      <CirclePause className="mt-0.5 shrink-0" size={20} aria-hidden="true" />
      <p className="min-w-0 break-words">
        <strong>Payouts and bets are paused.</strong> Everything else works. Reason: {data.halted}{' '}
        <Link to="/trust" className="font-semibold underline underline-offset-4">
          See the books
        </Link>
      </p>
    </div>
  )
}
