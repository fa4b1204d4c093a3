import { type ReactNode, useDeferredValue } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { micro, type Usdt } from '../../protocol/money.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { DAY_MS } from '../../protocol/time.ts'
import { trust } from '../../protocol/trust.ts'
import { Card } from '../../ui/card.tsx'
import { dateTimeText, dayAndMonthText, durationText, timeText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { Table } from '../../ui/table.tsx'
import { useRead } from '../shared/api/api.ts'
import { MoneyChart } from '../shared/money/money-chart.tsx'
import { AsOf } from '../shared/page/as-of.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'
import { ExitCard } from './exit-card.tsx'
import { FairnessCard } from './fairness-card.tsx'
import { KeptFileCard } from './kept-file-card.tsx'
import { OwedCard } from './owed-card.tsx'
import { ProofCard } from './proof-card.tsx'
import { FiguresSkeleton, TrustFrame } from './trust-frame.tsx'
import { VaultCard } from './vault-card.tsx'

type Summary = OutputOf<typeof trust.summary>['data']

const REFRESH_MS = 15_000
const poolNames: Record<string, string> = {
  reward_pool: 'Rewards',
  health_pool: 'Health',
  royalty_pool: 'Royalty',
  house: 'Colour game',
}

/** Public page: reserves, liabilities, and the tools to check them. */
export function TrustPage() {
  const summary = useRead(trust.summary, {}, { refetchIntervalMs: REFRESH_MS })
  // Rendered in slices, so that a slow phone can react to a tap between them.
  const figures = useDeferredValue(summary.data?.data)
  return (
    <TrustFrame footer={<SiteFooter className="border-line border-t pt-6" />}>
      {summary.isLoadingError && <FailedRead error={summary.error} onRetry={() => summary.refetch()} />}
      {figures ? <Figures summary={figures} /> : !summary.isLoadingError && <FiguresSkeleton />}
    </TrustFrame>
  )
}

function Figures({ summary }: { summary: Summary }) {
  return (
    <>
      {summary.halted && (
        <Card role="alert" className="bg-coral-tint text-coral-ink">
          <strong>Payouts and bets are paused.</strong> {summary.halted}
        </Card>
      )}
      {!summary.halted && summary.payouts_paused_since && (
        <Card role="alert" className="bg-coral-tint text-coral-ink">
          <strong>Payouts are paused.</strong> Some invariants could not be checked since{' '}
          {dateTimeText(summary.payouts_paused_since)}. Payouts resume automatically when all checks pass. Bets are not
          affected.
        </Card>
      )}
      <Coverage summary={summary} />
      <div className="grid gap-6 lg:grid-cols-2">
        <OwedCard summary={summary} />
        <Pools summary={summary} />
      </div>
      <VaultCard rootTransactions={summary.root_transactions} />
      <ProofCard snapshot={summary.snapshot} everyMinutes={summary.snapshot_every_minutes} />
      <ExitCard epoch={summary.snapshot?.epoch} mirrors={summary.mirrors} />
      <KeptFileCard operator={summary.operator_address} />
      <FairnessCard />
      {summary.history.length > 1 && <History history={summary.history} />}
    </>
  )
}

function Coverage({ summary }: { summary: Summary }) {
  const { reserves, liabilities, withdrawals, measured_at } = summary
  const percent = reserves === null || liabilities === 0n ? undefined : Number((reserves * 1000n) / liabilities) / 10
  return (
    <Card weight="lead" padding="l" className="grid items-center gap-8 sm:grid-cols-[auto_1fr]">
      <Ring
        value={reserves === null ? 0 : percent === undefined ? 1 : Math.min(1, percent / 100)}
        size={190}
        stroke={18}
        tone="lime"
        track="stroke-panel-line"
        label="Reserves compared with what we owe"
      >
        <span className="block font-display text-3xl">
          {reserves === null ? '?' : percent === undefined ? '100%' : coverText(percent)}
        </span>
        <span className="text-on-panel-soft text-sm">{isMany(percent) ? 'what we owe' : 'covered'}</span>
      </Ring>
      <dl className="grid gap-5 sm:grid-cols-2">
        <Figure
          term="Held on chain"
          at={summary.reserves_at}
          note={
            summary.reserves_block === null
              ? 'The chain node is not responding right now'
              : `at final block ${figureText(summary.reserves_block)}`
          }
        >
          {reserves === null ? 'unknown' : <Money amount={reserves} />}
        </Figure>
        <Figure
          term="Owed to users"
          at={measured_at}
          note="all balances, stakes in open rounds and withdrawals in progress"
        >
          <Money amount={liabilities} />
        </Figure>
        <Figure
          term="The operator's own money"
          at={measured_at}
          note="what is left after paying everyone, without the pools"
        >
          <Money amount={summary.operator} />
        </Figure>
        <Figure
          term={`Payout time, last ${withdrawals.days} days`}
          at={measured_at}
          note={
            withdrawals.slowest_seconds === null
              ? 'no withdrawals yet'
              : `slowest of ${withdrawals.paid}: ${durationText(withdrawals.slowest_seconds)}`
          }
        >
          {withdrawals.median_seconds === null ? '—' : durationText(withdrawals.median_seconds)}
        </Figure>
        <AuditFigure audit={summary.audit} />
      </dl>
    </Card>
  )
}

/** The audit checks the invariants every minute; a broken one pauses payouts and bets. */
function AuditFigure({ audit }: { audit: Summary['audit'] }) {
  return (
    <Figure
      term="Last audit"
      at={audit?.at ?? null}
      note={audit ? auditNote(audit) : 'the first audit runs within a minute'}
    >
      {audit ? auditResult(audit) : '—'}
      {audit?.seal && (
        <span className="block break-all font-mono text-on-panel-soft text-xs">
          Seal {audit.seal.number} of the ledger: {audit.seal.hash}
        </span>
      )}
    </Figure>
  )
}

type Audit = NonNullable<Summary['audit']>

function auditResult({ broken, unchecked }: Audit): string {
  if (broken.length > 0) return `Broken: invariant ${broken.join(', ')}`
  return unchecked.length > 0 ? `Could not be checked: invariant ${unchecked.join(', ')}` : 'All invariants hold'
}

function auditNote({ at, held, broken, unchecked, complete_at }: Audit): string {
  const last = `last checked ${dateTimeText(at)}`
  if (unchecked.length === 0) return `${held.length + broken.length} invariants, ${last}`
  const complete = complete_at ? `all were last checked ${dateTimeText(complete_at)}` : 'all were never checked yet'
  const missing = broken.length > 0 ? `, invariant ${unchecked.join(', ')} could not be checked` : ''
  return `${held.length} invariants hold${missing}, ${last}; ${complete}`
}

/** So much more than we owe that a percentage would be hard to read. */
const isMany = (percent: number | undefined) => percent !== undefined && percent > 999
const coverText = (percent: number) => (isMany(percent) ? `${Math.floor(percent / 100)}×` : `${percent.toFixed(0)}%`)

function Pools({ summary }: { summary: Summary }) {
  return (
    <Card className="grid content-start gap-4">
      <div>
        <h2 className="font-display text-xl">Where rewards come from</h2>
        <AsOf at={summary.measured_at} className="text-faint text-sm" />
        <p className="mt-1 text-soft">
          Pools hold only the operator's own money. If one is empty, rewards wait; they are never paid from deposits.
        </p>
      </div>
      <Table
        caption="Pools and how long they last"
        rows={summary.pools}
        rowKey={({ name }) => name}
        empty={null}
        columns={[
          { header: 'Pool', cell: ({ name }) => poolNames[name] ?? name },
          { header: 'Balance', cell: ({ balance }) => <Money amount={balance} unit={false} />, numeric: true },
          {
            header: 'Lasts',
            cell: ({ cover_days }) => (cover_days === null ? '—' : `${figureText(cover_days)} days`),
            numeric: true,
          },
        ]}
      />
      <p className="text-faint text-sm">How long each pool can pay today's rewards if nobody new joins.</p>
    </Card>
  )
}

function History({ history }: { history: Summary['history'] }) {
  const [oldest, newest] = [history[0]?.at.getTime() ?? 0, history.at(-1)?.at.getTime() ?? 0]
  const tick = newest - oldest < 2 * DAY_MS ? timeText : dayAndMonthText
  const rows = (pick: (row: Summary['history'][number]) => Usdt) =>
    history.map((row) => ({ label: dateTimeText(row.at), tick: tick(row.at), amount: pick(row) }))
  const last = history.at(-1)?.at
  const age = last && <AsOf at={last} className="mb-3 block text-faint text-sm" />
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Card className="draw-near">
        <h2 className="font-display text-xl">Reserves over time</h2>
        {age}
        <MoneyChart label="Reserves in USDT" rows={rows(({ reserves }) => reserves)} />
      </Card>
      <Card className="draw-near">
        <h2 className="font-display text-xl">What we owe over time</h2>
        {age}
        <MoneyChart label="What we owe in USDT" rows={rows(({ liabilities }) => micro(liabilities))} tone="sky" />
      </Card>
    </div>
  )
}

type FigureProps = { term: string; at: Date | null; note: string; children: ReactNode }

/** A figure with its age. `at` is null if it is unknown. */
const Figure = ({ term, at, note, children }: FigureProps) => (
  <div>
    <dt className="text-on-panel-soft text-sm">{term}</dt>
    <dd className="font-display text-2xl">{children}</dd>
    <dd className="text-on-panel-soft text-sm">
      {note}
      {at && <AsOf at={at} className="block" />}
    </dd>
  </div>
)
