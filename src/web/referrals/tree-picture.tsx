import { Minus, Plus, Scan } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Ring } from '../../ui/ring.tsx'
import { MemberCard } from './member-card.tsx'
import {
  boundsOf,
  type CardSize,
  cardSizes,
  fittedView,
  type Item,
  linkPath,
  type Placed,
  place,
  sideways,
  visible,
} from './tree-layout.ts'
import { usePanZoom } from './use-pan-zoom.ts'
import type { Tree } from './use-tree.ts'

/** Cards up to this far outside the view are rendered too, so that a fast drag shows no gaps. */
const MARGIN = 200
const NARROW_PX = 560

type TreePictureProps = { tree: Tree; onSelect(username: string): void }

/** The tree as a diagram. */
export function TreePicture({ tree, onSelect }: TreePictureProps) {
  const { area, size, card, placed, view, fitted, moveTo, zoomBy, handlers, toggle } = useTreeView(tree)
  const shown = size ? visible(placed, view, size, card, MARGIN) : []
  const isLost = size !== undefined && placed.length > 0 && visible(placed, view, size, card, 0).length === 0
  return (
    <div className="grid gap-3">
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
                  <path
                    key={item.key}
                    d={linkPath(parent, { x, y }, card)}
                    className="fill-none stroke-2 stroke-line-strong/50"
                  />
                ) : null,
              )}
            </svg>
            {shown.map(({ item, x, y }) => (
              <div
                key={item.key}
                className="absolute animate-fade"
                style={{ left: x, top: y, width: card.width, height: card.height }}
              >
                <Card item={item} tree={tree} size={card} onToggle={toggle} onSelect={onSelect} />
              </div>
            ))}
          </div>
        </div>
        {isLost && (
          <div className="pointer-events-none absolute inset-0 grid place-items-center">
            <Button variant="outline" className="pointer-events-auto" onClick={() => moveTo(fitted)}>
              Back to your team
            </Button>
          </div>
        )}
        <Controls onZoom={zoomBy} onReset={() => moveTo(fitted)} />
      </div>
      <Legend />
    </div>
  )
}

type ControlsProps = { onZoom(factor: number): void; onReset(): void }

const Controls = ({ onZoom, onReset }: ControlsProps) => (
  <div className="absolute right-3 bottom-3 flex gap-1 rounded-full bg-raised p-1 shadow-card">
    <IconButton label="Zoom out" onClick={() => onZoom(1 / 1.25)}>
      <Minus size={18} />
    </IconButton>
    <IconButton label="Reset the view" onClick={onReset}>
      <Scan size={18} />
    </IconButton>
    <IconButton label="Zoom in" onClick={() => onZoom(1.25)}>
      <Plus size={18} />
    </IconButton>
  </div>
)

/** Where the cards are, and the view of them: it opens fitted, then only the user moves it. */
function useTreeView(tree: Tree) {
  const area = useRef<HTMLDivElement>(null)
  const size = useSize(area)
  const card = (size?.width ?? 0) < NARROW_PX ? cardSizes.narrow : cardSizes.wide
  const placed = useMemo(() => place(tree.root, tree.nodes, card), [tree.root, tree.nodes, card])
  const bounds = useMemo(() => boundsOf(placed, card), [placed, card])
  const { view, moveTo, moveBy, zoomBy, handlers } = usePanZoom(area, bounds)
  const fitted = fittedView(bounds, size ?? { width: 0, height: 0 }, card)

  // Only for a new root and for another size of the cards: what else changes must not move the view.
  const fittedFor = useRef('')
  const wanted = size && placed.length > 0 ? `${tree.root} ${card.width}` : ''
  useLayoutEffect(() => {
    if (!wanted || fittedFor.current === wanted) return
    fittedFor.current = wanted
    moveTo(fitted)
  })

  // Opening a member moves its neighbours apart. The view moves along, so that the member stays at its height, and to
  // the side if that is needed to show the next column.
  const toggled = useRef<Placed>(undefined)
  useLayoutEffect(() => {
    const before = toggled.current
    const after = before && placed.find(({ item }) => item.key === before.item.key)
    if (!size || !after || after.item.children.length === before.item.children.length) return
    toggled.current = undefined
    moveBy(sideways(after, view, size, card), (before.y - after.y) * view.scale)
  })
  const toggle = (username: string) => {
    toggled.current = placed.find(({ item }) => item.key === username)
    tree.toggle(username)
  }
  return { area, size, card, placed, view, fitted, moveTo, zoomBy, handlers, toggle }
}

const Legend = () => (
  <ul aria-label="Legend" className="flex flex-wrap gap-x-5 gap-y-2 text-faint text-sm">
    <li className="flex items-center gap-2">
      <Ring value={1} size={18} stroke={3} />
      active plan
    </li>
    <li className="flex items-center gap-2">
      <Ring value={0} size={18} stroke={3} />
      no plan
    </li>
    <li className="flex items-center gap-2">
      <span className="grid size-[18px] place-items-center font-bold text-ink text-xs">3</span>
      their level
    </li>
    <li>Tap a card for details. Drag to move, pinch or scroll to zoom.</li>
  </ul>
)

type CardProps = { item: Item; tree: Tree; size: CardSize; onToggle(username: string): void } & Pick<
  TreePictureProps,
  'onSelect'
>

function Card({ item, tree, size, onToggle, onSelect }: CardProps) {
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
        {node.loading ? 'Loading…' : `${figureText(item.rest)} more`}
      </button>
    )
  return (
    <MemberCard
      node={node}
      isNarrow={size === cardSizes.narrow}
      onToggle={() => onToggle(item.username)}
      onSelect={() => onSelect(item.username)}
    />
  )
}

/** Undefined until the element is measured, which is before the first paint. */
function useSize(area: { current: HTMLElement | null }): { width: number; height: number } | undefined {
  const [size, setSize] = useState<{ width: number; height: number }>()
  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [area])
  return size
}
