import { ChevronRight, Crosshair } from 'lucide-react'
import { moneyText } from '../../ui/format.ts'
import { Ring } from '../../ui/ring.tsx'
import type { Node } from './use-tree.ts'

type MemberCardProps = { node: Node; onToggle(): void; onFocus(): void }

/** One member in the diagram: level, name, whether a plan is active, and the size of the team. */
export function MemberCard({ node, onToggle, onFocus }: MemberCardProps) {
  const { member, open, loading, total } = node
  return (
    <div className="flex h-full items-center gap-2 rounded-[18px] border border-line bg-raised pr-1.5 pl-2.5 shadow-card">
      <Ring value={member.active ? 1 : 0} size={34} stroke={4} label={member.active ? 'active plan' : 'no active plan'}>
        <span className="font-bold text-xs">{member.level}</span>
      </Ring>
      <button
        type="button"
        onClick={onFocus}
        className="min-w-0 flex-1 text-left"
        title={`Show the team of ${member.user_name}`}
      >
        <span className="block truncate font-semibold text-sm">{member.user_name}</span>
        <span className="figures block truncate text-faint text-xs">
          {member.plan_amount === null
            ? 'figures hidden'
            : `${member.team_members?.toLocaleString('en')} below · ${moneyText(member.plan_amount)}`}
        </span>
      </button>
      {total > 0 ? (
        <button
          type="button"
          onClick={onToggle}
          aria-expanded={open}
          aria-label={`${open ? 'Close' : 'Open'} ${member.user_name}, ${total.toLocaleString('en')} direct`}
          className="grid size-9 place-items-center rounded-full text-soft hover:bg-sunken"
        >
          {loading ? (
            <Ring size={16} stroke={3} />
          ) : (
            <ChevronRight size={18} className={`transition ${open ? 'rotate-90' : ''}`} />
          )}
        </button>
      ) : (
        <Crosshair size={14} className="mr-2 text-faint/50" aria-hidden="true" />
      )}
    </div>
  )
}
