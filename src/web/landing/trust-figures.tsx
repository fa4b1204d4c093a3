import '../shared/api/no-eval.ts'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { colour } from '../../protocol/colour.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { trust } from '../../protocol/trust.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { call } from '../shared/api/api.ts'

type Figures = {
  books: OutputOf<typeof trust.summary>['data']
  rounds: number
}

/** Live reserves, liabilities and number of draws. Renders nothing until the server has replied. */
export function TrustFigures() {
  const [figures, setFigures] = useState<Figures>()
  useEffect(() => {
    let wanted = true
    Promise.all([call(trust.summary, {}), call(colour.fairness, {})])
      .then(([books, fairness]) => wanted && setFigures({ books: books.data, rounds: fairness.data.rounds }))
      .catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [])
  if (!figures || figures.books.reserves === null) return null
  const { reserves, liabilities } = figures.books
  const covered = reserves >= liabilities
  return (
    <div className="mt-12 grid animate-fade gap-8 border-panel-line border-t pt-10 wide:grid-cols-[auto_1fr] wide:items-center wide:gap-x-14">
      <div className="flex items-center gap-5">
        <Ring
          value={covered ? 1 : Number((reserves * 1_000n) / liabilities) / 1_000}
          size={92}
          stroke={10}
          tone={covered ? 'lime' : 'coral'}
          track="stroke-panel-line"
          label="Share of what we owe users that is held on chain"
        >
          <span className="font-semibold text-sm">Live</span>
        </Ring>
        <p className="max-w-[12em] font-display text-xl">
          {covered ? 'Everything we owe is held on chain' : 'We hold less than we owe'}
        </p>
      </div>
      <dl className="grid gap-x-10 gap-y-5 min-[420px]:grid-cols-[auto_1fr] min-[900px]:grid-cols-[auto_auto_1fr]">
        <Figure label="Held on chain" value={<Money amount={reserves} />} />
        <Figure label="Owed to users" value={<Money amount={liabilities} />} />
        <Figure label="Rounds drawn, each verifiable" value={new Intl.NumberFormat('en').format(figures.rounds)} />
      </dl>
      <Link
        to="/trust"
        className="w-fit rounded-lg font-semibold text-lime wide:col-start-2 underline underline-offset-4 focus-visible:outline-lime"
      >
        Check it yourself
      </Link>
    </div>
  )
}

function Figure({ label, value }: { label: string; value: React.ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end gap-1">
      <dt className="text-on-panel-soft text-sm">{label}</dt>
      <dd className="figures font-semibold text-2xl">{value}</dd>
    </div>
  )
}
