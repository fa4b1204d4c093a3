import { hierarchy, tree } from 'd3-hierarchy'
import { Minus, Plus, Scan } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { MemberCard } from './member-card.tsx'
import { usePanZoom } from './use-pan-zoom.ts'
import type { Node, Tree } from './use-tree.ts'

const CARD_WIDTH = 232
const CARD_HEIGHT = 64
const COLUMN = CARD_WIDTH + 64
const ROW = CARD_HEIGHT + 16
/** Cards up to this far outside the view are rendered too, so that a fast drag shows no gaps. */
const MARGIN = 200
const HOME = { x: 24, y: 200, scale: 1 }

type Item = { key: string; username: string; more: boolean; rest: number; children: Item[] }
type Placed = { item: Item; x: number; y: number; parent: { x: number; y: number } | undefined }

/** The tree as a diagram that grows to the right, one column per level. */
export function TreePicture({ tree }: { tree: Tree }) {
  const { view, moveTo, area, handlers, zoomBy } = usePanZoom(HOME)
  const size = useSize(area)
  const placed = useMemo(() => place(tree.root, tree.nodes), [tree.root, tree.nodes])
  const shown = placed.filter(({ x, y }) => {
    const [left, top] = [x * view.scale + view.x, y * view.scale + view.y]
    return (
      left > -CARD_WIDTH - MARGIN &&
      left < size.width + MARGIN &&
      top > -CARD_HEIGHT - MARGIN &&
      top < size.height + MARGIN
    )
  })
  const home = { ...HOME, y: size.height / 2 - CARD_HEIGHT / 2 }
  const lastRoot = useRef('')
  useEffect(() => {
    // Reset the view only for a new root. Expanding members must not move it.
    if (lastRoot.current === tree.root) return
    lastRoot.current = tree.root
    moveTo(home)
  })

  return (
    <div className="relative overflow-clip rounded-card border border-line bg-sunken">
      <div
        ref={area}
        role="application"
        {...handlers}
        aria-label="Your team as a diagram. When a member has focus, arrow keys move the view, plus and minus zoom."
        className="h-[26rem] cursor-grab touch-none select-none active:cursor-grabbing sm:h-[34rem]"
      >
        <div
          className="absolute top-0 left-0 origin-top-left"
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        >
          <svg className="pointer-events-none absolute overflow-visible" width="1" height="1" aria-hidden="true">
            {shown.map(({ item, x, y, parent }) =>
              parent ? (
                <path key={item.key} d={link(parent, { x, y })} className="fill-none stroke-2 stroke-line-strong/50" />
              ) : null,
            )}
          </svg>
          {shown.map(({ item, x, y }) => (
            <div
              key={item.key}
              className="absolute animate-fade"
              style={{ left: x, top: y, width: CARD_WIDTH, height: CARD_HEIGHT }}
            >
              <Card item={item} tree={tree} />
            </div>
          ))}
        </div>
      </div>
      <div className="absolute right-3 bottom-3 flex gap-1 rounded-full bg-raised p-1 shadow-card">
        <IconButton label="Zoom out" onClick={() => zoomBy(1 / 1.25)}>
          <Minus size={18} />
        </IconButton>
        <IconButton label="Reset the view" onClick={() => moveTo(home)}>
          <Scan size={18} />
        </IconButton>
        <IconButton label="Zoom in" onClick={() => zoomBy(1.25)}>
          <Plus size={18} />
        </IconButton>
      </div>
    </div>
  )
}

function Card({ item, tree }: { item: Item; tree: Tree }) {
  const node = tree.nodes.get(item.username)
  if (!node) return null
  if (item.more)
    return (
      <button
        type="button"
        disabled={node.loading}
        onClick={() => tree.more(item.username)}
        className="h-full w-full rounded-[18px] border border-line-strong/60 border-dashed font-semibold text-sm text-soft hover:bg-raised"
      >
        {node.loading ? 'Loading…' : `${item.rest.toLocaleString('en')} more`}
      </button>
    )
  return (
    <MemberCard node={node} onToggle={() => tree.toggle(item.username)} onFocus={() => tree.focus(item.username)} />
  )
}

function place(root: string, nodes: ReadonlyMap<string, Node>): Placed[] {
  const item = (username: string): Item => {
    const node = nodes.get(username)
    const children = node?.open ? node.children.map(item) : []
    const rest = node?.open ? node.total - node.children.length : 0
    if (rest > 0) children.push({ key: `${username}/more`, username, more: true, rest, children: [] })
    return { key: username, username, more: false, rest: 0, children }
  }
  if (!nodes.has(root)) return []
  const laidOut = tree<Item>()
    .nodeSize([ROW, COLUMN])
    .separation(() => 1)(hierarchy(item(root)))
  // d3 lays trees out downwards; ours grows to the right, so its x is our y.
  return laidOut.descendants().map((point) => ({
    item: point.data,
    x: point.y,
    y: point.x,
    parent: point.parent ? { x: point.parent.y, y: point.parent.x } : undefined,
  }))
}

function link(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const [startX, startY, endX, endY] = [from.x + CARD_WIDTH, from.y + CARD_HEIGHT / 2, to.x, to.y + CARD_HEIGHT / 2]
  const middle = (startX + endX) / 2
  return `M${startX} ${startY}C${middle} ${startY} ${middle} ${endY} ${endX} ${endY}`
}

function useSize(area: { current: HTMLElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 800, height: 544 })
  useEffect(() => {
    const element = area.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [area])
  return size
}
