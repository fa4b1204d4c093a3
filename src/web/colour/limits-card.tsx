import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { colour } from '../../protocol/colour.ts'
import { EXCLUSION_DAYS, type LimitKind, type Limits } from '../../protocol/colour-limits.ts'
import { larger, type Usdt, ZERO } from '../../protocol/money.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dateTimeText, drawableUsdt, moneyText, orText, zonedText } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { ExclusionDialog } from './exclusion-dialog.tsx'
import { LimitDialog } from './limit-dialog.tsx'

/** Limits that the user sets and the server enforces. Also shown in the profile. */
export function LimitsCard() {
  const read = useRead(colour.limits, {})
  const [editing, setEditing] = useState<LimitKind>()
  const [isLeaving, setLeaving] = useState(false)
  if (read.isLoadingError)
    return (
      <Card>
        <FailedRead error={read.error} onRetry={() => read.refetch()} />
      </Card>
    )
  if (!read.data) return <Skeleton className="h-76 rounded-card sm:h-70 wide:h-54" />
  const limits = read.data.data
  return (
    <Card className="grid content-start gap-5" aria-label="Play within your limits">
      <h2 className="flex items-center gap-2 text-xl">
        <ShieldCheck size={22} className="text-leaf-ink" aria-hidden="true" />
        Play within your limits
      </h2>
      <div className="grid gap-5 wide:grid-cols-2 wide:gap-10">
        <LimitRow name="Staked today" kind="stake" used={limits.staked_today} limits={limits} onEdit={setEditing} />
        <LimitRow
          name="Lost today"
          kind="loss"
          used={larger(limits.lost_today, ZERO)}
          limits={limits}
          onEdit={setEditing}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t pt-4">
        <p className="text-soft text-sm">
          {limits.excluded_until
            ? `You're excluded until ${zonedText(limits.excluded_until)}.`
            : `Need a break? Exclude yourself for ${orText(EXCLUSION_DAYS)} days.`}
        </p>
        <Button variant="quiet" size="s" onClick={() => setLeaving(true)}>
          {limits.excluded_until ? 'Extend your break' : 'Take a break'}
        </Button>
      </div>
      {editing && <LimitDialog kind={editing} limits={limits} onClose={() => setEditing(undefined)} />}
      <ExclusionDialog open={isLeaving} onClose={() => setLeaving(false)} />
    </Card>
  )
}

type LimitRowProps = { name: string; kind: LimitKind; used: Usdt; limits: Limits; onEdit: (kind: LimitKind) => void }

function LimitRow({ name, kind, used, limits, onEdit }: LimitRowProps) {
  const { amount, next } = limits[kind]
  const share = amount === null ? 0 : drawableUsdt(used) / Math.max(0.01, drawableUsdt(amount))
  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-between gap-3">
        <p className="grid">
          <span className="text-soft text-sm">{name}</span>
          <span className="figures font-semibold">
            {moneyText(used)}
            <span className="font-normal text-faint">
              {' '}
              {amount === null ? 'USDT, no limit' : `of ${moneyText(amount)} USDT`}
            </span>
          </span>
        </p>
        <Button
          variant="quiet"
          size="s"
          aria-label={kind === 'loss' ? 'Set the daily loss limit' : 'Set the daily stake limit'}
          onClick={() => onEdit(kind)}
        >
          {amount === null ? 'Set' : 'Change'}
        </Button>
      </div>
      {amount !== null && (
        <Progress value={share} label={`${name}, as a share of your limit`} tone={share >= 0.8 ? 'gold' : 'leaf'} />
      )}
      {next && (
        <p className="text-faint text-sm">
          {next.amount === null ? 'No limit' : `${moneyText(next.amount)} USDT`} from {dateTimeText(next.acts_at)}
        </p>
      )}
    </div>
  )
}
