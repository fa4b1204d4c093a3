import type { ReactNode } from 'react'
import { figureText } from '../../protocol/figures.ts'
import type { Usdt } from '../../protocol/money.ts'
import { referrals } from '../../protocol/referrals.ts'
import { isDeleted, shownName } from '../../protocol/users.ts'
import { Badge } from '../../ui/badge.tsx'
import { dateText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Empty } from '../../ui/states.tsx'
import { PagedTable } from '../shared/page/paged-table.tsx'

const Hidden = () => <span className="text-faint">hidden</span>
const figure = (amount: Usdt | null) => (amount === null ? <Hidden /> : <Money amount={amount} unit={false} />)

type Row = { user_name: string }
const member = ({ user_name }: Row) =>
  isDeleted(user_name) ? <span className="text-faint">{shownName(user_name)}</span> : <strong>{user_name}</strong>
/** A deleted account has no level, plans or figures. */
const unlessDeleted =
  <R extends Row>(cell: (row: R) => ReactNode) =>
  (row: R) =>
    isDeleted(row.user_name) ? <span className="text-faint">–</span> : cell(row)

const noMembers = (
  <Empty title="You haven't invited anyone yet">Share your link. Everyone who joins with it appears here.</Empty>
)

export function DirectList() {
  return (
    <PagedTable
      route={referrals.direct}
      caption="Direct referrals"
      rowKey={({ user_name }) => user_name}
      empty={noMembers}
      columns={[
        { header: 'Member', cell: member },
        { header: 'Level', cell: unlessDeleted((row) => row.level), numeric: true },
        { header: 'Plans', cell: unlessDeleted((row) => figure(row.plan_amount)), numeric: true },
        { header: 'Team', cell: unlessDeleted((row) => row.team_members ?? <Hidden />), numeric: true },
        { header: 'Joined', cell: (row) => dateText(row.joined_at) },
      ]}
    />
  )
}

export function DownlineList() {
  return (
    <PagedTable
      route={referrals.details}
      caption="Everyone in your team"
      rowKey={({ user_name }) => user_name}
      empty={noMembers}
      columns={[
        { header: 'Member', cell: member },
        { header: 'Levels below', cell: (row) => row.depth, numeric: true },
        { header: 'Invited by', cell: (row) => shownName(row.sponsor) },
        {
          header: 'Plan',
          cell: unlessDeleted((row) => (
            <Badge tone={row.active ? 'leaf' : 'ink'}>{row.active ? 'Active' : 'None'}</Badge>
          )),
        },
        { header: 'Plans', cell: unlessDeleted((row) => figure(row.plan_amount)), numeric: true },
        { header: 'Joined', cell: (row) => dateText(row.joined_at) },
      ]}
    />
  )
}

export function LevelList() {
  return (
    <PagedTable
      route={referrals.performance}
      caption="Your team level by level"
      rowKey={({ depth }) => String(depth)}
      empty={noMembers}
      columns={[
        { header: 'Level', cell: (row) => row.depth },
        { header: 'Members', cell: (row) => figureText(row.members), numeric: true },
        { header: 'Active', cell: (row) => figureText(row.active), numeric: true },
        { header: 'Volume', cell: (row) => figure(row.volume), numeric: true },
        { header: 'Your share', cell: (row) => `${row.percent}%`, numeric: true },
        { header: 'Earned', cell: (row) => <Money amount={row.earned} unit={false} />, numeric: true },
      ]}
    />
  )
}
