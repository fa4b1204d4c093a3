import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Ring } from '../../ui/ring.tsx'

type TrustFrameProps = {
  covered?: number
  title?: string
  reserves?: ReactNode
  liabilities?: ReactNode
  rounds?: ReactNode
}

/** What we hold and owe. It has the same size before the figures are read, and when they cannot be read. */
export function TrustFrame({
  covered = 0,
  title = 'What we hold, against what we owe',
  reserves = '…',
  liabilities = '…',
  rounds = '…',
}: TrustFrameProps) {
  return (
    <div className="mt-12 grid gap-8 border-panel-line border-t pt-10 wide:grid-cols-[auto_1fr] wide:items-center wide:gap-x-14">
      <div className="flex items-center gap-5">
        <Ring
          value={covered}
          size={92}
          stroke={10}
          tone={covered >= 1 ? 'lime' : 'coral'}
          track="stroke-panel-line"
          label="Share of what we owe users that is held on chain"
        >
          <span className="font-semibold text-sm">Live</span>
        </Ring>
        <p className="w-[9em] font-display text-xl">{title}</p>
      </div>
      <dl className="grid gap-x-10 gap-y-5 min-[420px]:grid-cols-[auto_1fr] min-[900px]:grid-cols-[auto_auto_1fr]">
        <Figure label="Held on chain" value={reserves} />
        <Figure label="Owed to users" value={liabilities} />
        <Figure label="Rounds drawn, each verifiable" value={rounds} />
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

function Figure({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end gap-1">
      <dt className="text-on-panel-soft text-sm">{label}</dt>
      <dd className="figures font-semibold text-2xl">{value}</dd>
    </div>
  )
}
