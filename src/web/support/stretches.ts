/** Stretching guides: what to do, for how long, and the shape of it. Joints are points of a 200 × 220 picture. */
export type Point = readonly [number, number]
export type Pose = {
  head: Point
  neck: Point
  hip: Point
  elbows: readonly [Point, Point]
  hands: readonly [Point, Point]
  knees: readonly [Point, Point]
  feet: readonly [Point, Point]
}
export type Stretch = { title: string; text: string; seconds: number; pose: Pose }
export type Routine = { id: string; title: string; text: string; stretches: readonly Stretch[] }

export const STANDING: Pose = {
  head: [100, 34],
  neck: [100, 62],
  hip: [100, 122],
  elbows: [
    [73, 92],
    [127, 92],
  ],
  hands: [
    [70, 122],
    [130, 122],
  ],
  knees: [
    [90, 160],
    [110, 160],
  ],
  feet: [
    [86, 200],
    [114, 200],
  ],
}

const reachUp: Pose = {
  ...STANDING,
  head: [100, 36],
  elbows: [
    [80, 34],
    [120, 34],
  ],
  hands: [
    [92, 4],
    [108, 4],
  ],
}
const sideBend: Pose = {
  ...STANDING,
  head: [126, 42],
  neck: [115, 68],
  elbows: [
    [112, 26],
    [142, 98],
  ],
  hands: [
    [146, 12],
    [132, 128],
  ],
}
const neckTilt: Pose = { ...STANDING, head: [114, 38] }
const openChest: Pose = {
  ...STANDING,
  head: [100, 32],
  elbows: [
    [56, 70],
    [144, 70],
  ],
  hands: [
    [50, 36],
    [150, 36],
  ],
}
const armAcross: Pose = {
  ...STANDING,
  elbows: [
    [112, 78],
    [140, 92],
  ],
  hands: [
    [144, 74],
    [116, 82],
  ],
}
const sideLunge: Pose = {
  head: [84, 50],
  neck: [86, 78],
  hip: [84, 138],
  elbows: [
    [62, 104],
    [112, 104],
  ],
  hands: [
    [76, 126],
    [96, 126],
  ],
  knees: [
    [58, 160],
    [118, 168],
  ],
  feet: [
    [60, 200],
    [152, 200],
  ],
}
const kneeHug: Pose = {
  ...STANDING,
  elbows: [
    [78, 98],
    [124, 98],
  ],
  hands: [
    [104, 126],
    [126, 126],
  ],
  knees: [
    [92, 160],
    [118, 116],
  ],
  feet: [
    [92, 200],
    [116, 154],
  ],
}

const step = (title: string, text: string, seconds: number, pose: Pose): Stretch => ({ title, text, seconds, pose })

export const ROUTINES: readonly Routine[] = [
  {
    id: 'desk',
    title: 'Desk reset',
    text: 'Neck, shoulders and chest after a long sit.',
    stretches: [
      step('Tilt your neck', 'Let one ear sink towards the shoulder, then the other. No pulling.', 24, neckTilt),
      step('Open the chest', 'Arms like a cactus, shoulder blades together, chin level.', 24, openChest),
      step('Arm across', 'Draw one arm across the chest with the other. Change half way.', 30, armAcross),
      step('Reach up', 'Grow tall through the fingertips, ribs soft.', 24, reachUp),
    ],
  },
  {
    id: 'wake',
    title: 'Wake up',
    text: 'Four minutes’ worth of morning in two.',
    stretches: [
      step('Reach up', 'Breathe in and grow, breathe out and stay.', 24, reachUp),
      step('Side bend', 'Lean over one side, both feet heavy. Change half way.', 30, sideBend),
      step('Hug a knee', 'Stand on one leg and pull the knee in. Hold on to something if you like.', 30, kneeHug),
      step('Side lunge', 'Sink into one leg, the other long. Change half way.', 30, sideLunge),
    ],
  },
  {
    id: 'evening',
    title: 'Wind down',
    text: 'Slow and soft, before bed.',
    stretches: [
      step('Side bend', 'Slowly, with a long breath out on the way over.', 30, sideBend),
      step('Tilt your neck', 'Eyes closed, jaw loose.', 30, neckTilt),
      step('Open the chest', 'Wide arms, quiet breath.', 30, openChest),
    ],
  },
]

export const secondsOf = ({ stretches }: Routine): number => stretches.reduce((sum, { seconds }) => sum + seconds, 0)

const MOVE_MS = 1_600
const HOLD_MS = 2_600

/** How far the figure is in its stretch: into it, hold, out of it, rest, over and over. */
export function depthAt(elapsedMs: number): number {
  const at = elapsedMs % (2 * (MOVE_MS + HOLD_MS / 2))
  const ease = (share: number) => 0.5 - Math.cos(Math.PI * Math.min(1, Math.max(0, share))) / 2
  if (at < MOVE_MS + HOLD_MS) return ease(at / MOVE_MS)
  return 1 - ease((at - MOVE_MS - HOLD_MS) / MOVE_MS)
}

const mixPoint = (a: Point, b: Point, share: number): Point => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
]
const mixPair = (a: readonly [Point, Point], b: readonly [Point, Point], share: number): [Point, Point] => [
  mixPoint(a[0], b[0], share),
  mixPoint(a[1], b[1], share),
]

export function mixPose(from: Pose, to: Pose, share: number): Pose {
  return {
    head: mixPoint(from.head, to.head, share),
    neck: mixPoint(from.neck, to.neck, share),
    hip: mixPoint(from.hip, to.hip, share),
    elbows: mixPair(from.elbows, to.elbows, share),
    hands: mixPair(from.hands, to.hands, share),
    knees: mixPair(from.knees, to.knees, share),
    feet: mixPair(from.feet, to.feet, share),
  }
}
