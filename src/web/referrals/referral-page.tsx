import { useState } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { referrals, VOLUME_MEMBERS_MIN } from '../../protocol/referrals.ts'
import { rewards } from '../../protocol/rewards.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { Card } from '../../ui/card.tsx'
import { drawableUsdt } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Qr } from '../../ui/qr.tsx'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { isTried, useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { queries } from '../shared/api/queries.tsx'
import { readStoredUser } from '../shared/api/stored-user.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { InvitationButtons, invitationLink } from '../shared/page/invitation-link.tsx'
import { Announced } from '../shared/terms/announced.tsx'
import { useTerms } from '../shared/terms/use-terms.ts'
import { DirectList, DownlineList, LevelList } from './lists.tsx'
import { RewardsTab } from './rewards-tab.tsx'
import { RoyaltyCard } from './royalty-card.tsx'
import { TreeTab } from './tree-tab.tsx'

type Summary = OutputOf<typeof referrals.summary>['data']

const tabs = [
  { id: 'tree', label: 'Tree' },
  { id: 'direct', label: 'Direct' },
  { id: 'levels', label: 'Levels' },
  { id: 'everyone', label: 'Everyone' },
  { id: 'rewards', label: 'Rewards' },
] as const

const shown = [referrals.summary, referrals.direct, referrals.details, referrals.performance, referrals.holds]
const refresh = (): void => {
  for (const { path } of [...shown, rewards.referrals, rewards.royaltySummary])
    void queries.invalidateQueries({ queryKey: [path] })
}

export function ReferralPage() {
  useEvent('team', refresh)
  useEvent('balance', refresh)
  useEvent('resync', refresh)
  const summary = useRead(referrals.summary, {})
  const royalty = useRead(rewards.royaltySummary, {})
  const { terms, ...read } = useTerms()
  const [tab, setTab] = useState<(typeof tabs)[number]['id']>('tree')
  if (summary.isLoadingError) return <FailedRead error={summary.error} onRetry={() => summary.refetch()} />
  if (read.error && !terms) return <FailedRead error={read.error} onRetry={read.refetch} />
  // All at once: cards of unknown height that arrive one after the other would move what is below them.
  if (!terms || !summary.data || !isTried(royalty)) return <Waiting />
  return (
    <div className="grid gap-6">
      <header>
        <h1 className="font-display text-3xl">Your team</h1>
        <p className="mt-1 text-soft">
          You earn rewards from {terms.uplinePercents.length} levels below you, paid from the operator's own pool.
        </p>
      </header>
      <Announced announced={read.announced} about="referrals" className="" />
      <div className="grid gap-6 lg:grid-cols-[1.6fr_1fr]">
        <Invitation code={summary.data.data.referral_code} />
        <Standing summary={summary.data.data} />
      </div>
      <RoyaltyCard royalty={royalty} terms={terms} />
      <Card>
        <Tabs label="Your team" tabs={tabs} selected={tab} onSelect={setTab}>
          {tab === 'tree' && <TreeTab own={readStoredUser()?.username ?? ''} />}
          {tab === 'direct' && <DirectList />}
          {tab === 'levels' && <LevelList />}
          {tab === 'everyone' && <DownlineList />}
          {tab === 'rewards' && <RewardsTab levels={terms.uplinePercents.length} />}
        </Tabs>
      </Card>
    </div>
  )
}

const Waiting = () => (
  <div className="grid gap-6" role="status" aria-label="Loading your team">
    <Skeleton className="h-20 rounded-card" />
    <Skeleton className="h-96 rounded-card" />
    <Skeleton className="h-96 rounded-card" />
  </div>
)

function Invitation({ code }: { code: string }) {
  const link = invitationLink(code)
  return (
    <Card weight="lead" padding="l" className="grid items-center gap-6 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-4">
        <h2 className="font-display text-xl">Invite a friend</h2>
        <p className="text-on-panel-soft">Everyone who joins with your link is permanently part of your team.</p>
        <code className="figures break-all rounded-control bg-panel-line px-4 py-3 text-[13px]">{link}</code>
        <InvitationButtons link={link} variant="lime" />
      </div>
      <Qr text={link} label={`QR code of your link ${link}`} size={148} />
    </Card>
  )
}

function Standing({ summary }: { summary: Summary }) {
  const { volume, next_rank, next_rank_volume, rank } = summary
  const share = next_rank_volume ? drawableUsdt(volume) / drawableUsdt(next_rank_volume) : 1
  return (
    <Card className="grid content-center gap-6">
      <div className="flex items-center gap-4">
        <Ring
          value={share}
          size={84}
          stroke={9}
          tone="gold"
          label={next_rank ? `On the way to ${next_rank}` : 'Highest rank'}
        >
          <span className="font-bold text-xs">{rank ?? 'No rank'}</span>
        </Ring>
        <div>
          <p className="text-faint text-sm">Team volume</p>
          <p className="font-display text-2xl">
            <Money amount={volume} />
          </p>
          <p className="text-faint text-xs">
            Only levels with {VOLUME_MEMBERS_MIN} or more active plans are shown. Your rank counts all.
          </p>
          {next_rank && next_rank_volume && (
            <p className="text-soft text-sm">
              {next_rank} from <Money amount={next_rank_volume} />
            </p>
          )}
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-4">
        <Figure term="Direct" value={figureText(summary.direct)} />
        <Figure term="Whole team" value={figureText(summary.members)} />
        <Figure term="With an active plan" value={figureText(summary.active)} />
        <div>
          <dt className="text-faint text-sm">Earned</dt>
          <dd className="font-semibold text-lg">
            <Money amount={summary.earned} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}

const Figure = ({ term, value }: { term: string; value: string }) => (
  <div>
    <dt className="text-faint text-sm">{term}</dt>
    <dd className="figures font-semibold text-lg">{value}</dd>
  </div>
)
