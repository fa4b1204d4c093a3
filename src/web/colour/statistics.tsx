import type { colour as routes } from '../../protocol/colour.ts'
import { chancePercent, RETURN_PERCENT } from '../../protocol/colour-odds.ts'
import { figureText } from '../../protocol/figures.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { drawableUsdt } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ColourMark, colourLook } from '../shared/draws/colour-mark.tsx'

type Fairness = OutputOf<typeof routes.fairness>['data']

/** How all draws so far compare with chance, and whether stakes influence them. */
export function Statistics({ fairness }: { fairness: Fairness | undefined }) {
  if (!fairness) return <Skeleton className="h-64 rounded-inner" />
  return (
    <div className="grid gap-6 wide:grid-cols-2">
      <div className="grid content-start gap-4">
        <p className="text-soft">{figureText(fairness.rounds)} rounds so far. The line marks the expected share.</p>
        {fairness.colors.map((row) => (
          <ColourShare key={row.color} {...row} rounds={fairness.rounds} />
        ))}
        <p className="text-faint text-sm">
          Past rounds tell you nothing about the next one: every draw is independent.
        </p>
      </div>
      <dl className="grid content-start gap-3">
        <Fact
          name="The costliest colour for the house won"
          value={`${fairness.dearest_won} of ${fairness.rounds_with_bets}`}
          note={`Expected by chance: ${fairness.dearest_expected.toFixed(1)}. Far fewer would suggest that stakes influence the draw.`}
        />
        <Fact
          name="Share of stakes paid back"
          value={returned(fairness)}
          note={`Expected: ${RETURN_PERCENT}%. This is ${Math.abs(fairness.paid_deviation).toFixed(1)} standard deviations away; more than 3 would be suspicious.`}
        />
        <Fact
          name="Total staked"
          value={<Money amount={fairness.staked} />}
          note={`${fairness.refunded} rounds had no result in time. All stakes were returned.`}
        />
      </dl>
    </div>
  )
}

const returned = ({ staked, paid }: Fairness): string =>
  staked === 0n ? '–' : `${((drawableUsdt(paid) / Math.max(0.01, drawableUsdt(staked))) * 100).toFixed(1)}%`

function ColourShare({ color, count, rounds }: Fairness['colors'][number] & { rounds: number }) {
  const share = rounds === 0 ? 0 : (count / rounds) * 100
  const chance = chancePercent(color)
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center justify-between gap-3 text-sm">
        <span className="flex items-center gap-2 font-semibold">
          <ColourMark colour={color} size={22} />
          {colourLook[color].name}
        </span>
        <span className="figures text-soft">
          {figureText(count)} · {share.toFixed(1)}%, expected {chance}%
        </span>
      </div>
      <div className="relative h-3 rounded-full bg-track" aria-hidden="true">
        <div
          className="h-full rounded-full"
          style={{ width: `${Math.min(100, share)}%`, background: `var(--game-${color})` }}
        />
        <span className="-top-1 absolute h-5 w-0.5 rounded bg-ink" style={{ left: `${chance}%` }} />
      </div>
    </div>
  )
}

function Fact({ name, value, note }: { name: string; value: React.ReactNode; note: string }) {
  return (
    <div className="grid gap-0.5 rounded-inner bg-sunken p-4">
      <dt className="text-soft text-sm">{name}</dt>
      <dd className="figures font-display text-2xl">{value}</dd>
      <dd className="text-faint text-sm">{note}</dd>
    </div>
  )
}
