import type { ReactNode } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { isDeleted, shownName } from '../../protocol/users.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { dateText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import type { Node } from './use-tree.ts'

type MemberSheetProps = { node: Node | undefined; isRoot: boolean; onClose(): void; onShowTeam(username: string): void }

/** Details of one member of the team, with what they choose to show. */
export function MemberSheet({ node, isRoot, onClose, onShowTeam }: MemberSheetProps) {
  const name = node?.member.user_name ?? ''
  const hasTeam = node && node.total > 0 && !isRoot
  return (
    <Dialog
      open={node !== undefined}
      onClose={onClose}
      title={shownName(name)}
      actions={
        hasTeam ? (
          <Button
            onClick={() => {
              onShowTeam(name)
              onClose()
            }}
          >
            Show their team
          </Button>
        ) : (
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
        )
      }
    >
      {node && (isDeleted(name) ? <Deleted node={node} /> : <Details node={node} />)}
    </Dialog>
  )
}

function Details({ node: { member, total } }: { node: Node }) {
  const { level, active, plan_amount, team_members, joined_at } = member
  return (
    <div className="grid gap-5">
      <p className="flex flex-wrap gap-2">
        <Badge tone={active ? 'leaf' : 'ink'}>{active ? 'Active plan' : 'No active plan'}</Badge>
        <Badge tone="gold">{level > 0 ? `Level ${level}` : 'New player'}</Badge>
      </p>
      <dl className="grid grid-cols-2 gap-4">
        <Figure term="In plans">{plan_amount === null ? <Hidden /> : <Money amount={plan_amount} />}</Figure>
        <Figure term="Whole team">{team_members === null ? <Hidden /> : figureText(team_members)}</Figure>
        <Figure term="Invited directly">{figureText(total)}</Figure>
        <Figure term="Joined">{dateText(joined_at)}</Figure>
      </dl>
      {plan_amount === null && <p className="text-faint text-sm">This member keeps these figures private.</p>}
    </div>
  )
}

const Deleted = ({ node: { member, total } }: { node: Node }) => (
  <div className="grid gap-5">
    <p>This user deleted their account. The people they invited stay in your team.</p>
    <dl className="grid grid-cols-2 gap-4">
      <Figure term="Invited directly">{figureText(total)}</Figure>
      <Figure term="Joined">{dateText(member.joined_at)}</Figure>
    </dl>
  </div>
)

const Hidden = () => <span className="font-normal text-faint">hidden</span>

const Figure = ({ term, children }: { term: string; children: ReactNode }) => (
  <div>
    <dt className="text-faint text-sm">{term}</dt>
    <dd className="figures font-semibold text-ink text-lg">{children}</dd>
  </div>
)
