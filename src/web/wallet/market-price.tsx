import { TrendingUp } from 'lucide-react'
import { wallet } from '../../protocol/wallet.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedLine } from '../shared/page/failed-read.tsx'

const REREAD_MS = 5_000

/** The live price of JW, for information only. */
export function MarketPrice() {
  const read = useRead(wallet.market, {}, { refetchIntervalMs: REREAD_MS })
  return (
    <Card className="grid gap-2" aria-label="Price of JW">
      <div className="flex items-center justify-between gap-3">
        <h2 className="flex items-center gap-2 text-lg">
          <TrendingUp size={18} className="text-leaf-ink" aria-hidden="true" />
          JW price
        </h2>
        <Freshness state={read.isError ? 'dead' : read.data?.state} age={read.data?.age_seconds ?? null} />
      </div>
      {read.isPending ? (
        <Skeleton className="h-9 w-40" />
      ) : read.data?.Current_Jw_MKT_Price ? (
        <p className="figures font-display text-3xl">
          {read.data.Current_Jw_MKT_Price} <span className="text-base text-faint">USDT</span>
        </p>
      ) : (
        <p className="font-display text-3xl text-faint">unknown</p>
      )}
      {read.error && <FailedLine error={read.error} />}
      <p className="text-faint text-sm">
        From the JW/USDT pair on chain. For information only: no balance depends on it.
      </p>
    </Card>
  )
}

function Freshness({ state, age }: { state: 'live' | 'stale' | 'dead' | undefined; age: number | null }) {
  if (state === undefined) return null
  if (state === 'dead') return <Badge tone="coral">price service unavailable</Badge>
  const seconds = `${age ?? 0} s old`
  return state === 'live' ? <Badge tone="leaf">{seconds}</Badge> : <Badge tone="gold">outdated: {seconds}</Badge>
}
