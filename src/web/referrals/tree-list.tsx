import { Button } from '../../ui/button.tsx'
import { moneyText } from '../../ui/format.ts'
import type { Network } from './use-network.ts'

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
  const { member, open, loading, total, children } = node
  return (
    <li>
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-2 hover:bg-sunken">
        {total > 0 ? (
          <Button variant="quiet" size="s" busy={loading} aria-expanded={open} onClick={() => network.toggle(username)}>
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
            : `${member.team_members} below, ${moneyText(member.team_volume)} USDT`}
        </span>
      </div>
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
