/** Stretching routines: instructions, durations and poses. Joints are points in a drawing of 200 × 220. */
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
    text: 'For neck, shoulders and chest after a long time sitting.',
    stretches: [
      step('Tilt your neck', 'Let one ear sink towards the shoulder, then the other. Do not pull.', 24, neckTilt),
      step('Open the chest', 'Arms like a cactus, shoulder blades together, chin level.', 24, openChest),
      step('Arm across', 'Pull one arm across your chest with the other. Switch sides halfway.', 30, armAcross),
      step('Reach up', 'Stretch tall through your fingertips. Keep your ribs relaxed.', 24, reachUp),
    ],
  },
  {
    id: 'wake',
    title: 'Wake up',
    text: 'A morning stretch in two minutes.',
    stretches: [
      step('Reach up', 'Breathe in and stretch taller. Breathe out and hold.', 24, reachUp),
      step('Side bend', 'Lean to one side, both feet flat on the floor. Switch sides halfway.', 30, sideBend),
      step('Hug a knee', 'Stand on one leg and pull the other knee in. Hold on to something if you like.', 30, kneeHug),
      step('Side lunge', 'Bend one leg and keep the other straight. Switch sides halfway.', 30, sideLunge),
    ],
  },
  {
    id: 'evening',
    title: 'Wind down',
    text: 'Slow and gentle, before bed.',
    stretches: [
      step('Side bend', 'Move slowly, and breathe out as you lean over.', 30, sideBend),
      step('Tilt your neck', 'Close your eyes and relax your jaw.', 30, neckTilt),
      step('Open the chest', 'Open your arms wide and breathe calmly.', 30, openChest),
    ],
  },
]

export const secondsOf = ({ stretches }: Routine): number => stretches.reduce((sum, { seconds }) => sum + seconds, 0)

const MOVE_MS = 1_600
const HOLD_MS = 2_600

/** How far the figure is into its stretch: it moves in, holds, moves out, and repeats. */
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
