import type { ReactNode } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { micro } from '../../protocol/money.ts'
import { Card } from '../../ui/card.tsx'
import { dateTimeText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { RootBlock } from '../../verifier/root-block.ts'
import { exitsOpenFrom, type VaultState } from '../../verifier/vault-state.ts'
import { ExplorerLink } from '../shared/money/explorer-link.tsx'
import { AsOf } from '../shared/page/as-of.tsx'
import { useVault, type VaultReading } from './vault-reader.ts'

const DAY_SECONDS = 86_400

/** The vault as the chain shows it. None of these figures comes from our books. */
export function VaultCard({ rootTransactions }: { rootTransactions: string[] }) {
  const vault = useVault(rootTransactions)
  if (vault.isPending) return <Skeleton className="h-64 w-full rounded-card" />
  return (
    <Card padding="l" className="draw-near grid gap-5">
      <div>
        <h2 className="font-display text-2xl">The vault on chain</h2>
        <p className="mt-1 text-soft">
          A contract holds all USDT of users. It limits what our keys can take, and lets everyone withdraw if we stop
          publishing roots.
        </p>
      </div>
      {vault.data ? (
        <>
          <Figures {...vault.data} />
          <p role="note" className="rounded-control bg-sunken px-4 py-3 text-soft">
            {vault.data.wallet
              ? `Your own wallet (${vault.data.wallet}) read these figures. Our server can't change them.`
              : 'Our server read these figures for you. With a browser wallet on this network, your wallet reads them.'}
          </p>
        </>
      ) : (
        <p role="alert" className="text-coral-ink">
          The vault can't be read right now. We'll try again in half a minute.
        </p>
      )}
    </Card>
  )
}

const at = (seconds: bigint): Date => new Date(Number(seconds) * 1_000)

function Figures({ state, rootBlock }: VaultReading) {
  const { block, held, total, left, limit, epoch, root, takenAt, publishedAt } = state
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      <Entry term="The vault holds" note={`at block ${figureText(block)}`}>
        <Money amount={micro(held)} />
      </Entry>
      <Entry term="Owed at the last root" note="the sum of all balances in it">
        <Money amount={micro(total)} />
      </Entry>
      <Entry
        term="Left in the last day"
        note={
          <>
            of at most <Money amount={micro(limit)} />
          </>
        }
      >
        <Money amount={micro(left)} />
      </Entry>
      {epoch > 0n && (
        <>
          <Entry term="Last root" note={<AsOf at={at(takenAt)} />}>
            Number {figureText(epoch)}
          </Entry>
          <Entry term="In the vault since" note={rootBlock && <RootNote {...rootBlock} />}>
            {dateTimeText(at(publishedAt))}
          </Entry>
          <Entry term="Exits" note={exitNote(state)}>
            {exitText(state)}
          </Entry>
          <div className="min-w-0 sm:col-span-2 lg:col-span-3">
            <dt className="text-faint text-sm">Root {figureText(epoch)}</dt>
            <dd className="break-all font-mono text-xs">{root}</dd>
          </div>
        </>
      )}
      {state.isPaused && (
        <Entry term="Payouts" note="the guardian or open exits stopped them">
          Paused
        </Entry>
      )}
    </dl>
  )
}

const RootNote = ({ block, txHash }: RootBlock) => (
  <>
    in block {figureText(block)}:{' '}
    <span className="text-ink">
      <ExplorerLink hash={txHash} />
    </span>
  </>
)

function exitText(state: VaultState): string {
  if (state.openedAt !== 0n) return 'Open'
  const days = Number(exitsOpenFrom(state) - state.now) / DAY_SECONDS
  return days <= 0 ? 'Can be opened now' : `Closed, for at least ${days.toFixed(1)} days`
}

function exitNote(state: VaultState): string {
  if (state.openedAt !== 0n) return `since ${dateTimeText(at(state.openedAt))}`
  const earliest = dateTimeText(at(exitsOpenFrom(state)))
  return state.calledAt === 0n ? `they can open on ${earliest} if no more roots come` : `notice was given: ${earliest}`
}

type EntryProps = { term: string; note?: ReactNode; children: ReactNode }

const Entry = ({ term, note, children }: EntryProps) => (
  <div className="min-w-0">
    <dt className="text-faint text-sm">{term}</dt>
    <dd className="font-semibold">{children}</dd>
    {note && <dd className="text-faint text-sm">{note}</dd>}
  </div>
)
