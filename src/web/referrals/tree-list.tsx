import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { isDeleted, shownName } from '../../protocol/users.ts'
import { Button } from '../../ui/button.tsx'
import { moneyText } from '../../ui/format.ts'
import { Ring } from '../../ui/ring.tsx'
import type { Node, Tree } from './use-tree.ts'

/** The same tree as a nested list, for the keyboard and for screen readers. */
export function TreeList({ tree, onSelect }: { tree: Tree; onSelect(username: string): void }) {
  return (
    <ul className="grid gap-1">
      <Branch tree={tree} username={tree.root} onSelect={onSelect} />
    </ul>
  )
}

type BranchProps = { tree: Tree; username: string; onSelect(username: string): void }

const Branch = memo(({ tree, username, onSelect }: BranchProps) => {
  const node = tree.nodes.get(username)
  if (!node) return null
  const { open, loading, total, children } = node
  return (
    <li>
      <Row node={node} toggle={tree.toggle} onSelect={onSelect} />
      {open && (
        <ul className="ml-4 grid gap-1 border-line border-l pl-2 sm:pl-3">
          {children.map((child) => (
            <Branch key={child} tree={tree} username={child} onSelect={onSelect} />
          ))}
          {children.length < total && (
            <li>
              <Button variant="bare" size="s" busy={loading} onClick={() => tree.more(username)}>
                Show more of {figureText(total - children.length)}
              </Button>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}, isSameClosed)

/** A closed branch shows only its own member, so it is drawn again only if that member changes. */
function isSameClosed(before: BranchProps, after: BranchProps): boolean {
  const node = before.tree.nodes.get(before.username)
  return node !== undefined && !node.open && node === after.tree.nodes.get(after.username)
}

type RowProps = { node: Node } & Pick<Tree, 'toggle'> & Pick<BranchProps, 'onSelect'>

/** `content-visibility` skips layout and paint for rows outside the viewport. */
function Row({ node, toggle, onSelect }: RowProps) {
  const { member, total } = node
  return (
    <div className="grid min-h-12 grid-cols-[2.25rem_minmax(0,1fr)] items-center gap-x-2 rounded-control py-1.5 [contain-intrinsic-height:auto_3rem] [content-visibility:auto] hover:bg-sunken">
      {total > 0 ? (
        <Toggle node={node} toggle={toggle} />
      ) : (
        <span aria-hidden="true" className="size-2 justify-self-center rounded-full bg-line-strong/50" />
      )}
      <span className="grid sm:flex sm:items-baseline sm:gap-3">
        <button
          type="button"
          onClick={() => onSelect(member.user_name)}
          title={`Details of ${shownName(member.user_name)}`}
          className="truncate text-left font-bold hover:underline"
        >
          {shownName(member.user_name)}
        </button>
        <span className="figures text-faint text-sm">
          {isDeleted(member.user_name) ? 'account deleted' : wordsOf(member)}
        </span>
      </span>
    </div>
  )
}

function wordsOf({ level, active, plan_amount, team_members }: Node['member']): string {
  const figures =
    plan_amount === null || team_members === null
      ? 'figures hidden'
      : `${figureText(team_members)} below, ${moneyText(plan_amount)} USDT in plans`
  return [level > 0 ? `level ${level}` : 'new player', active ? 'active' : 'no plan', figures].join(' · ')
}

function Toggle({ node: { member, open, loading, total }, toggle }: { node: Node; toggle: Tree['toggle'] }) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={`${open ? 'Close' : 'Open'} ${shownName(member.user_name)}, ${figureText(total)} direct`}
      onClick={() => toggle(member.user_name)}
      className="grid size-9 place-items-center rounded-full bg-quiet text-ink"
    >
      {loading ? (
        <Ring size={16} stroke={3} />
      ) : (
        <ChevronRight size={18} aria-hidden="true" className={`transition ${open ? 'rotate-90' : ''}`} />
      )}
    </button>
  )
}
