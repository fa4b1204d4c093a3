/** Everything drawn on the canvas: shots, bursts, rings, confetti and drifting dust. No game rules here. */

export const palette = {
  lime: '#c8f169',
  leaf: '#43c78e',
  coral: '#ff7d5f',
  sky: '#5fbcff',
  violet: '#a693ff',
  gold: '#f5c453',
  white: '#f4f8f1',
} as const
export type Colour = keyof typeof palette

type Point = { x: number; y: number }
type Particle = Point & {
  dx: number
  dy: number
  size: number
  colour: string
  bornMs: number
  lifeMs: number
  shape: 'dot' | 'ring' | 'leaf'
  turn: number
  pull: number
}
type Wave = Point & { colour: string; bornMs: number; lifeMs: number; reach: number; width: number }
type Shot = { from: Point; to: Point; colour: string; bornMs: number; lifeMs: number }

export type Effects = ReturnType<typeof createEffects>

const PARTICLES_MAX = 500
export const SHOT_MS = 150

export function createEffects(canvas: HTMLCanvasElement) {
  const pen = canvas.getContext('2d')
  const particles: Particle[] = []
  const waves: Wave[] = []
  const shots: Shot[] = []
  let dustMs = 0
  let pace = 1

  const add = (particle: Particle) => {
    if (particles.length < PARTICLES_MAX) particles.push(particle)
  }

  const burst = (at: Point, colours: Colour[], count: number, speed = 1): void => {
    for (let index = 0; index < count; index++) add(createSpark(at, colours, index, speed))
  }

  function wave({ x, y }: Point, colour: Colour, reach: number, width = 5): void {
    waves.push({ x, y, colour: palette[colour], bornMs: performance.now(), lifeMs: 520, reach, width })
  }

  function shoot(from: Point, to: Point, colour: Colour): void {
    shots.push({ from, to, colour: palette[colour], bornMs: performance.now(), lifeMs: SHOT_MS })
  }

  function confetti(): void {
    const { width, height } = size()
    for (const share of [0.15, 0.5, 0.85])
      burst({ x: width * share, y: height * 0.35 }, ['lime', 'sky', 'violet', 'gold', 'coral'], 40, 1.5)
  }

  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight })

  function resize(): void {
    const ratio = Math.min(2, devicePixelRatio)
    const { width, height } = size()
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
    pen?.setTransform(ratio, 0, 0, ratio, 0, 0)
  }

  function dust(nowMs: number): void {
    if (nowMs - dustMs < 150 / pace) return
    dustMs = nowMs
    add(createSpeck(size(), pace, nowMs))
  }

  function frame(nowMs: number, stepMs: number): void {
    if (!pen) return
    const { width, height } = size()
    pen.clearRect(0, 0, width, height)
    dust(nowMs)
    drawAll(particles, (particle) => drawParticle(pen, particle, nowMs, stepMs))
    drawAll(waves, (ring) => drawWave(pen, ring, nowMs))
    drawAll(shots, (shot) => drawShot(pen, shot, nowMs))
  }

  return {
    burst,
    wave,
    shoot,
    confetti,
    resize,
    frame,
    setPace: (level: number) => {
      pace = level
    },
  }
}

/** One particle of a burst, thrown in a random direction. */
function createSpark({ x, y }: Point, colours: Colour[], index: number, speed: number): Particle {
  const angle = Math.random() * 2 * Math.PI
  const velocity = (0.08 + Math.random() * 0.42) * speed
  return {
    x,
    y,
    dx: Math.cos(angle) * velocity,
    dy: Math.sin(angle) * velocity - 0.1,
    size: 2 + Math.random() * 6,
    colour: palette[colours[index % colours.length] ?? 'lime'],
    bornMs: performance.now(),
    lifeMs: 500 + Math.random() * 600,
    shape: (['dot', 'ring', 'leaf'] as const)[index % 3] ?? 'dot',
    turn: Math.random() * 0.02 - 0.01,
    pull: 0.0006,
  }
}

/** A speck of dust drifting by. Higher levels have faster and shorter-lived specks. */
function createSpeck({ width, height }: { width: number; height: number }, pace: number, nowMs: number): Particle {
  return {
    x: width + 10,
    y: Math.random() * height * 0.85,
    dx: -(0.05 + Math.random() * 0.07) * pace,
    dy: 0,
    size: 1 + Math.random() * 1.8,
    colour: 'rgb(244 248 241 / .35)',
    bornMs: nowMs,
    lifeMs: 20_000 / pace,
    shape: 'dot',
    turn: 0,
    pull: 0,
  }
}

/** Draws all items and removes those for which `draw` returns false. */
function drawAll<Item>(items: Item[], draw: (item: Item) => boolean): void {
  let kept = 0
  for (const item of items) if (draw(item)) items[kept++] = item
  items.length = kept
}

function drawParticle(pen: CanvasRenderingContext2D, particle: Particle, nowMs: number, stepMs: number): boolean {
  const age = ageOf(particle, nowMs)
  if (age >= 1 || particle.x < -20) return false
  particle.x += particle.dx * stepMs
  particle.y += particle.dy * stepMs
  particle.dy += particle.pull * stepMs
  pen.globalAlpha = 1 - age ** 2
  pen.fillStyle = pen.strokeStyle = particle.colour
  pen.beginPath()
  if (particle.shape === 'leaf') {
    const angle = (nowMs - particle.bornMs) * particle.turn
    pen.ellipse(particle.x, particle.y, particle.size * 1.4, particle.size * 0.6, angle, 0, 2 * Math.PI)
  } else pen.arc(particle.x, particle.y, particle.size, 0, 2 * Math.PI)
  if (particle.shape === 'ring') {
    pen.lineWidth = 2
    pen.stroke()
  } else pen.fill()
  pen.globalAlpha = 1
  return true
}

function drawWave(pen: CanvasRenderingContext2D, wave: Wave, nowMs: number): boolean {
  const age = ageOf(wave, nowMs)
  if (age >= 1) return false
  const eased = 1 - (1 - age) ** 3
  pen.globalAlpha = 1 - age
  pen.strokeStyle = wave.colour
  pen.lineWidth = wave.width * (1 - age) + 0.5
  pen.beginPath()
  pen.arc(wave.x, wave.y, 8 + wave.reach * eased, 0, 2 * Math.PI)
  pen.stroke()
  pen.globalAlpha = 1
  return true
}

function drawShot(pen: CanvasRenderingContext2D, shot: Shot, nowMs: number): boolean {
  const { from, to, colour } = shot
  const age = ageOf(shot, nowMs)
  if (age >= 1) return false
  const at = (share: number) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share })
  const [head, tail] = [at(age), at(Math.max(0, age - 0.35))]
  const trail = pen.createLinearGradient(tail.x, tail.y, head.x, head.y)
  trail.addColorStop(0, 'rgb(255 255 255 / 0)')
  trail.addColorStop(1, colour)
  pen.strokeStyle = trail
  pen.lineWidth = 10
  pen.lineCap = 'round'
  pen.beginPath()
  pen.moveTo(tail.x, tail.y)
  pen.lineTo(head.x, head.y)
  pen.stroke()
  pen.fillStyle = palette.white
  pen.beginPath()
  pen.arc(head.x, head.y, 8, 0, 2 * Math.PI)
  pen.fill()
  return true
}

/** From 0 to 1. A frame's timestamp can be slightly earlier than the creation time of an item in it. */
const ageOf = ({ bornMs, lifeMs }: { bornMs: number; lifeMs: number }, nowMs: number): number =>
  Math.max(0, nowMs - bornMs) / lifeMs
