/** Guided breathing exercises. The page animates them; the server stores the start and refuses an early end. */
const PHASES = ['in', 'hold', 'out', 'rest'] as const
export type Phase = (typeof PHASES)[number]
export type BreathingExercise = {
  id: string
  title: string
  text: string
  /** Seconds of one breath, phase by phase. */
  pattern: readonly { phase: Phase; seconds: number }[]
  lengthSeconds: number
}

export const EXERCISE_IDS = ['coherent', 'box', 'long_exhale', 'four_seven_eight', 'deep_calm'] as const
export type ExerciseId = (typeof EXERCISE_IDS)[number]

export const EXERCISES: readonly (BreathingExercise & { id: ExerciseId })[] = [
  {
    id: 'coherent',
    title: 'Even breath',
    text: 'Five in, five out. Steadies the heart within minutes.',
    pattern: [
      { phase: 'in', seconds: 5 },
      { phase: 'out', seconds: 5 },
    ],
    lengthSeconds: 120,
  },
  {
    id: 'box',
    title: 'Box breath',
    text: 'In, hold, out, hold: four seconds each. For a clear head.',
    pattern: [
      { phase: 'in', seconds: 4 },
      { phase: 'hold', seconds: 4 },
      { phase: 'out', seconds: 4 },
      { phase: 'rest', seconds: 4 },
    ],
    lengthSeconds: 128,
  },
  {
    id: 'long_exhale',
    title: 'Long exhale',
    text: 'In for four, out for six. The quickest way to calm down.',
    pattern: [
      { phase: 'in', seconds: 4 },
      { phase: 'out', seconds: 6 },
    ],
    lengthSeconds: 180,
  },
  {
    id: 'four_seven_eight',
    title: '4 · 7 · 8',
    text: 'In four, hold seven, out eight. Good before sleep.',
    pattern: [
      { phase: 'in', seconds: 4 },
      { phase: 'hold', seconds: 7 },
      { phase: 'out', seconds: 8 },
    ],
    lengthSeconds: 190,
  },
  {
    id: 'deep_calm',
    title: 'Deep calm',
    text: 'Six in, six out, four whole minutes. Phone down, shoulders down.',
    pattern: [
      { phase: 'in', seconds: 6 },
      { phase: 'out', seconds: 6 },
    ],
    lengthSeconds: 240,
  },
]

/** An exercise left open longer than this counts as abandoned. */
export const SESSION_MAX_MINUTES = 60
/** Allowed difference between the browser's clock and the server's. */
export const FINISH_TOLERANCE_MS = 1_000

export function getExercise(id: ExerciseId): BreathingExercise {
  const exercise = EXERCISES.find((candidate) => candidate.id === id)
  if (!exercise) throw new Error(`no exercise ${id}`)
  return exercise
}

/** The shortest exercise that is enough to close today's ring, or else the longest one. */
export function suggestExercise(goalSeconds: number): ExerciseId {
  const enough = EXERCISES.filter(({ lengthSeconds }) => lengthSeconds >= goalSeconds)
  const sorted = enough.toSorted((a, b) => a.lengthSeconds - b.lengthSeconds)
  return sorted[0]?.id ?? 'deep_calm'
}

/** The breath after `elapsedMs`: its phase, the progress of that phase, and how full the lungs are (0 to 1). */
export function breathAt(exercise: BreathingExercise, elapsedMs: number) {
  const cycleMs = exercise.pattern.reduce((total, { seconds }) => total + seconds * 1_000, 0)
  let rest = elapsedMs % cycleMs
  for (const { phase, seconds } of exercise.pattern) {
    const lengthMs = seconds * 1_000
    if (rest < lengthMs) {
      const share = rest / lengthMs
      return { phase, share, secondsLeft: Math.ceil((lengthMs - rest) / 1_000), fullness: fullnessOf(phase, share) }
    }
    rest -= lengthMs
  }
  return { phase: 'in' as Phase, share: 0, secondsLeft: 0, fullness: 0 }
}

function fullnessOf(phase: Phase, share: number): number {
  const eased = 0.5 - Math.cos(Math.PI * share) / 2
  return { in: eased, hold: 1, out: 1 - eased, rest: 0 }[phase]
}
