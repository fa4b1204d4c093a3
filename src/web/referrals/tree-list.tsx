import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { Button } from '../../ui/button.tsx'
import { moneyText } from '../../ui/format.ts'
import { Ring } from '../../ui/ring.tsx'
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
      <Row node={node} toggle={network.toggle} focus={network.focus} />
      {open && (
        <ul className="ml-4 grid gap-1 border-line border-l pl-2 sm:pl-3">
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
const Row = memo(({ node, toggle, focus }: { node: Node } & Pick<Network, 'toggle' | 'focus'>) => {
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
          onClick={() => focus(member.user_name)}
          title={`Look at the network from ${member.user_name}`}
          className="truncate text-left font-bold hover:underline"
        >
          {member.user_name}
        </button>
        <span className="figures text-faint text-sm">
          level {member.level} · {member.active ? 'active' : 'no plan'} ·{' '}
          {member.team_volume === null
            ? 'figures hidden'
            : `${member.team_members?.toLocaleString('en')} below, ${moneyText(member.team_volume)} USDT`}
        </span>
      </span>
    </div>
  )
})

function Toggle({ node: { member, open, loading, total }, toggle }: { node: Node; toggle: Network['toggle'] }) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={`${open ? 'Close' : 'Open'} ${member.user_name}, ${total.toLocaleString('en')} direct`}
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
