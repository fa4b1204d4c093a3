import { memo } from 'react'
import { Button } from '../../ui/button.tsx'
import { moneyText } from '../../ui/format.ts'
import type { Network, Node } from './use-network.ts'

/** The same network as a nested list, for the keyboard and for screen readers. */
export function TreeList({ network }: { network: Network }) {
  return (
    <ul className="grid gap-1">
      <Branch network={network} username={network.root} />
    </ul>
  )
}

function Branch({ network, username }: { network: Network; username: string }) {
  const node = network.nodes.get(username)
  if (!node) return null
  const { open, loading, total, children } = node
  return (
    <li>
      <Row node={node} toggle={network.toggle} />
      {open && (
        <ul className="ml-5 grid gap-1 border-line border-l pl-3">
          {children.map((child) => (
            <Branch key={child} network={network} username={child} />
          ))}
          {children.length < total && (
            <li>
              <Button variant="bare" size="s" busy={loading} onClick={() => network.more(username)}>
                Show more of {(total - children.length).toLocaleString('en')}
              </Button>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

/** What is out of sight is neither laid out nor painted. */
const Row = memo(({ node, toggle }: { node: Node; toggle: Network['toggle'] }) => {
  const { member, open, loading, total } = node
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-2 [contain-intrinsic-height:auto_3rem] [content-visibility:auto] hover:bg-sunken">
      {total > 0 ? (
        <Button variant="quiet" size="s" busy={loading} aria-expanded={open} onClick={() => toggle(member.user_name)}>
          {open ? 'Close' : 'Open'} {total.toLocaleString('en')}
        </Button>
      ) : (
        <span className="w-4" />
      )}
      <strong>{member.user_name}</strong>
      <span className="figures text-faint text-sm">
        level {member.level} · {member.active ? 'active' : 'no plan'} ·{' '}
        {member.team_volume === null
          ? 'figures hidden'
          : `${member.team_members?.toLocaleString('en')} below, ${moneyText(member.team_volume)} USDT`}
      </span>
    </div>
  )
})
