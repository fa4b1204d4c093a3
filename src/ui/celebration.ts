import { prefersLessMotion } from './theme.ts'

const COLOURS = ['var(--leaf)', 'var(--lime)', 'var(--coral)', 'var(--sky)', 'var(--violet)', 'var(--gold)']
const PIECES = 28
const SVG = 'http://www.w3.org/2000/svg'

/** Celebrates an achievement: rings and leaves burst from a point. Does nothing under reduced motion. */
export function celebrate(from: { x: number; y: number } = { x: innerWidth / 2, y: innerHeight / 3 }): void {
  if (prefersLessMotion()) return
  const stage = document.createElement('div')
  stage.ariaHidden = 'true'
  Object.assign(stage.style, { position: 'fixed', inset: '0', overflow: 'hidden', pointerEvents: 'none', zIndex: '90' })
  document.body.append(stage)
  const flights = Array.from({ length: PIECES }, (_, index) => fly(stage, from, index))
  Promise.allSettled(flights).then(() => stage.remove())
}

function fly(stage: HTMLElement, from: { x: number; y: number }, index: number): Promise<unknown> {
  const piece = shape(index)
  Object.assign(piece.style, { position: 'absolute', left: `${from.x}px`, top: `${from.y}px` })
  stage.append(piece)
  const angle = (index / PIECES) * 2 * Math.PI + Math.random() * 0.3
  const reach = 90 + Math.random() * 190
  const [dx, dy] = [Math.cos(angle) * reach, Math.sin(angle) * reach * 0.8 - 60]
  const turn = Math.random() * 540 - 270
  const frames = [
    { transform: 'translate(-50%, -50%) scale(.2)', opacity: 1 },
    {
      transform: `translate(calc(-50% + ${dx}px), calc(-50% + ${dy}px)) rotate(${turn / 2}deg)`,
      opacity: 1,
      offset: 0.5,
    },
    { transform: `translate(calc(-50% + ${dx * 1.15}px), calc(-50% + ${dy + 240}px)) rotate(${turn}deg)`, opacity: 0 },
  ]
  return piece.animate(frames, { duration: 1_300 + Math.random() * 500, easing: 'cubic-bezier(.2,.7,.3,1)' }).finished
}

function shape(index: number): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  const size = String(12 + (index % 4) * 3)
  for (const [name, value] of [
    ['viewBox', '0 0 20 20'],
    ['width', size],
    ['height', size],
  ] as const)
    svg.setAttribute(name, value)
  const isRing = index % 2 === 0
  const path = document.createElementNS(SVG, 'path')
  const colour = COLOURS[index % COLOURS.length] ?? 'var(--leaf)'
  path.setAttribute('d', isRing ? 'M13.5 3.9A7 7 0 1 0 17 10' : 'M2 18C2 8 8 2 18 2 18 12 12 18 2 18Z')
  path.style.fill = isRing ? 'none' : colour
  path.style.stroke = isRing ? colour : 'none'
  path.style.strokeWidth = '3.5'
  path.style.strokeLinecap = 'round'
  svg.append(path)
  return svg
}
