import { Crown } from 'lucide-react'
import { useState } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { quiz } from '../../protocol/quiz.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'

const periods = [
  { id: 'day', label: 'Today' },
  { id: 'week', label: 'This week' },
  { id: 'ever', label: 'All time' },
] as const
type Period = (typeof periods)[number]['id']
type Leader = { rank: number; username: string; score: number; me: boolean }

export function Leaderboard() {
  const [period, setPeriod] = useState<Period>('day')
  return (
    <Card id="leaderboard" className="grid scroll-mt-20 gap-5">
      <h2 className="text-xl">Leaderboard</h2>
      <Tabs label="Period" tabs={periods} selected={period} onSelect={setPeriod}>
        <Rows period={period} />
      </Tabs>
    </Card>
  )
}

function Rows({ period }: { period: Period }) {
  const board = useRead(quiz.leaderboard, { period })
  if (board.isLoadingError) return <FailedRead error={board.error} onRetry={() => board.refetch()} />
  if (!board.data) return <Skeleton className="h-48 w-full rounded-inner" />
  const { data, mine } = board.data
  if (data.length === 0)
    return (
      <Empty title="No scores yet" icon={<Crown size={24} aria-hidden="true" />}>
        Play the first game and take the crown.
      </Empty>
    )
  return (
    <>
      <ol className="grid gap-1">
        {data.slice(0, 10).map((leader) => (
          <Row key={leader.username} leader={leader} top={data[0]?.score ?? 1} />
        ))}
      </ol>
      {mine && mine.rank > 10 && (
        <ol className="mt-2 border-line border-t pt-2" start={mine.rank}>
          <Row leader={mine} top={data[0]?.score ?? 1} />
        </ol>
      )}
    </>
  )
}

const medals = ['bg-gold text-[#10231c]', 'bg-line text-ink', 'bg-coral-tint text-coral-ink']

function Row({ leader: { rank, username, score, me }, top }: { leader: Leader; top: number }) {
  return (
    <li
      className={`relative flex h-12 items-center gap-3 overflow-hidden rounded-[14px] px-3 ${me ? 'bg-leaf-tint' : ''}`}
      aria-current={me || undefined}
    >
      <span
        aria-hidden="true"
        className="absolute inset-y-1.5 left-0 rounded-r-full bg-leaf/10"
        style={{ width: `${Math.round((score / top) * 100)}%` }}
      />
      <span
        className={`figures relative grid size-8 shrink-0 place-items-center rounded-full font-semibold text-sm ${medals[rank - 1] ?? 'text-faint'}`}
      >
        {rank}
      </span>
      <span className="relative min-w-0 truncate font-medium">
        {username}
        {me && <span className="text-leaf-ink"> · you</span>}
      </span>
      <span className="figures relative ml-auto font-semibold">{figureText(score)}</span>
    </li>
  )
}
