import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { isDeleted, shownName } from '../../protocol/users.ts'
import { moneyText } from '../../ui/format.ts'
import { Ring } from '../../ui/ring.tsx'
import type { Node } from './use-tree.ts'

type MemberCardProps = { node: Node; isNarrow: boolean; onToggle(): void; onSelect(): void }

/** One member in the diagram: level, name, whether a plan is active, and the size of the team. A tap opens the details. */
export function MemberCard({ node, isNarrow, onToggle, onSelect }: MemberCardProps) {
  const { member, open, loading, total } = node
  return (
    <div className="flex h-full items-center rounded-[18px] border border-line bg-raised shadow-card">
      <button
        type="button"
        onClick={onSelect}
        title={`Details of ${shownName(member.user_name)}`}
        className={`flex h-full min-w-0 flex-1 items-center gap-2.5 rounded-[18px] text-left hover:bg-quiet ${isNarrow ? 'pl-2' : 'pl-2.5'}`}
      >
        <Ring
          value={member.active ? 1 : 0}
          size={isNarrow ? 26 : 36}
          stroke={isNarrow ? 3 : 4}
          label={member.active ? 'active plan' : 'no active plan'}
        >
          <span className="font-bold text-xs">{member.level}</span>
        </Ring>
        <span className="min-w-0 flex-1">
          <span className="wrap-anywhere line-clamp-2 font-semibold text-sm leading-tight">
            <Name name={shownName(member.user_name)} />
          </span>
          {!isNarrow && <span className="figures block truncate text-faint text-xs">{figuresOf(node)}</span>}
        </span>
      </button>
      {total > 0 && (
        <button
          type="button"
          onClick={onToggle}
          aria-expanded={open}
          aria-label={`${open ? 'Close' : 'Open'} ${shownName(member.user_name)}, ${figureText(total)} direct`}
          className={`grid h-full place-items-center rounded-[18px] text-soft hover:bg-sunken ${isNarrow ? 'w-7' : 'w-9'}`}
        >
          {loading ? (
            <Ring size={16} stroke={3} />
          ) : (
            <ChevronRight size={18} className={`transition ${open ? 'rotate-90' : ''}`} />
          )}
        </button>
      )}
    </div>
  )
}

/** May wrap after an underscore. */
const Name = ({ name }: { name: string }) =>
  [...name.matchAll(/[^_]+_?|_/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))

function figuresOf({ member: { user_name, plan_amount, team_members } }: Node): string {
  if (isDeleted(user_name)) return 'account deleted'
  return plan_amount === null || team_members === null
    ? 'figures hidden'
    : `${figureText(team_members)} below · ${moneyText(plan_amount)} USDT`
}
