import { hierarchy, tree } from 'd3-hierarchy'
import type { View } from './use-pan-zoom.ts'
import type { Node } from './use-tree.ts'

export type CardSize = { width: number; height: number; gapX: number; gapY: number }
export type Item = { key: string; username: string; more: boolean; rest: number; children: Item[] }
export type Placed = { item: Item; x: number; y: number; parent: { x: number; y: number } | undefined }
type Area = { width: number; height: number }
export type Bounds = { left: number; top: number; right: number; bottom: number }

/** Two columns of the narrow cards fit a phone at full size. */
export const cardSizes = {
  wide: { width: 236, height: 68, gapX: 56, gapY: 14 },
  narrow: { width: 140, height: 68, gapX: 22, gapY: 12 },
} satisfies Record<string, CardSize>

/** A fitted picture is not smaller than this, so that names stay readable; what does not fit is reached by dragging. */
const FIT_SCALE_MIN = 0.85
const EDGE_PX = 16

/** The tree grows to the right, one column per level. The root is at 0, 0. */
export function place(root: string, nodes: ReadonlyMap<string, Node>, card: CardSize): Placed[] {
  const item = (username: string): Item => {
    const node = nodes.get(username)
    const children = node?.open ? node.children.map(item) : []
    const rest = node?.open ? node.total - node.children.length : 0
    if (rest > 0) children.push({ key: `${username}/more`, username, more: true, rest, children: [] })
    return { key: username, username, more: false, rest: 0, children }
  }
  if (!nodes.has(root)) return []
  const laidOut = tree<Item>()
    .nodeSize([card.height + card.gapY, card.width + card.gapX])
    .separation(() => 1)(hierarchy(item(root)))
  // d3 lays trees out downwards; ours grows to the right, so its x is our y.
  return laidOut.descendants().map((point) => ({
    item: point.data,
    x: point.y,
    y: point.x,
    parent: point.parent ? { x: point.parent.y, y: point.parent.x } : undefined,
  }))
}

export function boundsOf(placed: Placed[], card: CardSize): Bounds {
  const bounds = { left: 0, top: 0, right: card.width, bottom: card.height }
  for (const { x, y } of placed) {
    bounds.top = Math.min(bounds.top, y)
    bounds.right = Math.max(bounds.right, x + card.width)
    bounds.bottom = Math.max(bounds.bottom, y + card.height)
  }
  return bounds
}

/** The view that shows the whole tree if its names stay readable, and otherwise the root with those next to it. */
export function fittedView(bounds: Bounds, area: Area, card: CardSize): View {
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top]
  const room = { width: area.width - 2 * EDGE_PX, height: area.height - 2 * EDGE_PX }
  const scale = Math.min(1, Math.max(FIT_SCALE_MIN, Math.min(room.width / width, room.height / height)))
  const isWhole = (size: number, within: number) => size * scale <= within + 1
  return {
    scale,
    x: isWhole(width, room.width) ? (area.width - width * scale) / 2 : EDGE_PX,
    y: isWhole(height, room.height)
      ? (area.height - height * scale) / 2 - bounds.top * scale
      : (area.height - card.height * scale) / 2,
  }
}

/** How far the view must move for an opened member's column of children to be in it. The member itself stays in it too. */
export function sideways({ item, x }: Placed, view: View, area: Area, card: CardSize): number {
  if (item.children.length === 0) return 0
  const left = x * view.scale + view.x
  const right = left + (2 * card.width + card.gapX) * view.scale
  return -Math.max(0, Math.min(right - (area.width - EDGE_PX), left - EDGE_PX))
}

/** The cards that are in the view, or less than `margin` pixels outside of it. */
export function visible(placed: Placed[], view: View, area: Area, card: CardSize, margin: number): Placed[] {
  return placed.filter(({ x, y }) => {
    const [left, top] = [x * view.scale + view.x, y * view.scale + view.y]
    return (
      left > -card.width * view.scale - margin &&
      left < area.width + margin &&
      top > -card.height * view.scale - margin &&
      top < area.height + margin
    )
  })
}

export function linkPath(from: { x: number; y: number }, to: { x: number; y: number }, card: CardSize): string {
  const [startX, startY] = [from.x + card.width, from.y + card.height / 2]
  const [endX, endY] = [to.x, to.y + card.height / 2]
  const middle = (startX + endX) / 2
  return `M${startX} ${startY}C${middle} ${startY} ${middle} ${endY} ${endX} ${endY}`
}
