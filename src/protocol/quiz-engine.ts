import { randomAt } from './quiz-motion.ts'

/**
 * The rules of the quiz game: pure functions, random only by seed. The server judges every action by its own clock and
 * stores the resulting events. Replaying the events gives the same state, which proves the score (R12).
 * The browser uses the same functions to draw, to count down and to show what a shot is worth.
 * All times are whole milliseconds since the start of the game.
 */
export const quizRules = {
  levels: [
    { name: 'Stroll', windowMs: 16_000 },
    { name: 'Walk', windowMs: 14_000 },
    { name: 'Jog', windowMs: 12_000 },
    { name: 'Run', windowMs: 10_500 },
    { name: 'Sprint', windowMs: 9_000 },
  ],
  questionsPerLevel: 5,
  options: 4,
  livesMax: 3,
  hitPoints: 100,
  speedPointsMax: 100,
  levelPoints: 20,
  /** For a hit in the middle of the target; none at its edge. */
  aimPointsMax: 50,
  /** The aim of a shot by keyboard, in percent: a key cannot point. */
  keyAim: 50,
  cleanLevelPoints: 250,
  lifePoints: 300,
  /** A hit at this combo or above is worth `times` as much. */
  multipliers: [
    { combo: 10, times: 4 },
    { combo: 6, times: 3 },
    { combo: 3, times: 2 },
    { combo: 0, times: 1 },
  ],
  powerEvery: 4,
  powersMax: 3,
  pausesMax: 3,
  /** Earlier shots are refused: no player can read a question this fast. */
  shotMinMs: 300,
  /** Network latency: at most this much is subtracted from the server's time of a shot. */
  latencyGraceMs: 750,
  /** A game still open after this time is closed with its current score. */
  gameMaxMs: 30 * 60_000,
  pointsPerGameMax: 100,
  pointsPerDayMax: 300,
} as const

export const QUESTIONS_IN_GAME = quizRules.levels.length * quizRules.questionsPerLevel

export const quizPowers = ['slow', 'fifty', 'shield'] as const
export type QuizPower = (typeof quizPowers)[number]

export type QuizEvent =
  | { kind: 'deal'; atMs: number }
  | { kind: 'shot'; atMs: number; elapsedMs: number; option: number; right: number; aim?: number }
  | { kind: 'escape'; atMs: number; right: number }
  | { kind: 'power'; atMs: number; power: QuizPower; removed: number[] }
  | { kind: 'pause'; atMs: number }
  | { kind: 'end'; atMs: number; reason: 'stopped' | 'expired' }

export type OpenQuestion = {
  number: number
  dealtAtMs: number
  windowMs: number
  slowedAtMs: number | null
  removed: number[]
}

/** The outcome of the last question. */
type QuizOutcome = {
  result: 'hit' | 'miss' | 'escape'
  question: number
  option: number | null
  right: number
  gained: number
  /** 100 in the middle of the target, 0 at its edge. */
  aim: number
  bonus: number
  power: QuizPower | null
  shieldUsed: boolean
  levelCleared: boolean
  lifeGained: boolean
}

export type QuizEnd = 'completed' | 'lives' | 'stopped' | 'expired'

export type QuizState = {
  seed: number
  atMs: number
  level: number
  dealt: number
  resolved: number
  hits: number
  lives: number
  combo: number
  comboBest: number
  score: number
  cleanLevel: boolean
  powers: Record<QuizPower, number>
  powersEarned: number
  shielded: boolean
  pauses: number
  open: OpenQuestion | null
  outcome: QuizOutcome | null
  end: QuizEnd | null
}

export const newQuiz = (seed: number): QuizState => ({
  seed,
  atMs: 0,
  level: 1,
  dealt: 0,
  resolved: 0,
  hits: 0,
  lives: quizRules.livesMax,
  combo: 0,
  comboBest: 0,
  score: 0,
  cleanLevel: true,
  powers: { slow: 1, fifty: 1, shield: 0 },
  powersEarned: 0,
  shielded: false,
  pauses: 0,
  open: null,
  outcome: null,
  end: null,
})

/** The state after these events. Throws on an event that the rules do not allow: such a game does not replay. */
export const replay = (seed: number, events: readonly QuizEvent[]): QuizState => events.reduce(apply, newQuiz(seed))

export class ReplayError extends Error {}

export function apply(state: QuizState, event: QuizEvent): QuizState {
  demand(state.end === null, 'the game is over')
  demand(Number.isInteger(event.atMs) && event.atMs >= state.atMs, 'time must not run backwards')
  const at = { ...state, atMs: event.atMs }
  switch (event.kind) {
    case 'deal':
      return applyDeal(at)
    case 'power':
      return applyPower(at, event.power, event.removed)
    case 'pause':
      demand(state.open !== null && state.pauses < quizRules.pausesMax, 'no open question or no pause left')
      return { ...at, open: null, combo: 0, pauses: state.pauses + 1 }
    case 'shot':
      return applyShot(at, event)
    case 'escape': {
      const open = openOf(state)
      demand(motionMs(open, event.atMs - open.dealtAtMs) >= open.windowMs, 'the targets are still on the board')
      return resolve(at, { result: 'escape', option: null, right: event.right, gained: 0, aim: 0 })
    }
    case 'end':
      return { ...at, open: null, end: event.reason }
  }
}

/** How far the targets have moved along their paths, in milliseconds: real time, at half speed once slowed. */
export function motionMs(open: Pick<OpenQuestion, 'slowedAtMs'>, elapsedMs: number): number {
  const { slowedAtMs } = open
  if (slowedAtMs === null || elapsedMs <= slowedAtMs) return elapsedMs
  return slowedAtMs + Math.floor((elapsedMs - slowedAtMs) / 2)
}

/** Real time from dealing to the moment the targets escape. */
export const escapeMs = ({ windowMs, slowedAtMs }: Pick<OpenQuestion, 'windowMs' | 'slowedAtMs'>): number =>
  slowedAtMs === null ? windowMs : slowedAtMs + 2 * (windowMs - slowedAtMs)

export const multiplierOf = (combo: number): number =>
  quizRules.multipliers.find((step) => combo >= step.combo)?.times ?? 1

/** The points a hit at this moment would score, with this aim in percent. */
export function worthOf(
  state: Pick<QuizState, 'level' | 'combo'>,
  open: OpenQuestion,
  elapsedMs: number,
  aim: number,
): number {
  const left = Math.max(0, open.windowMs - motionMs(open, elapsedMs))
  const speed = Math.floor((quizRules.speedPointsMax * left) / open.windowMs)
  const level = quizRules.levelPoints * (state.level - 1)
  return (quizRules.hitPoints + speed + level + aimPoints(aim)) * multiplierOf(state.combo + 1)
}

const aimPoints = (aim: number): number => Math.floor((quizRules.aimPointsMax * aim) / 100)

/** Experience points of a finished game. */
export const pointsOf = (score: number): number => Math.min(quizRules.pointsPerGameMax, Math.floor(score / 200))

/** The upper bound of a score: every shot instant and in the middle, every level clean, no life lost. */
export const SCORE_MAX = Array.from({ length: QUESTIONS_IN_GAME }, (_, index) => {
  const level = Math.floor(index / quizRules.questionsPerLevel)
  const hit = quizRules.hitPoints + quizRules.speedPointsMax + quizRules.aimPointsMax + quizRules.levelPoints * level
  return hit * multiplierOf(index + 1)
}).reduce(
  (sum, hit) => sum + hit,
  quizRules.levels.length * quizRules.cleanLevelPoints + quizRules.livesMax * quizRules.lifePoints,
)

function applyDeal(state: QuizState): QuizState {
  demand(state.open === null, 'a question is open')
  const level = quizRules.levels[state.level - 1]
  const number = state.dealt + 1
  const windowMs = level?.windowMs ?? 0
  const open = { number, dealtAtMs: state.atMs, windowMs, slowedAtMs: null, removed: [] }
  return { ...state, dealt: number, open, outcome: null }
}

function applyPower(state: QuizState, power: QuizPower, removed: number[]): QuizState {
  const open = openOf(state)
  const elapsedMs = state.atMs - open.dealtAtMs
  demand(state.powers[power] > 0, 'none of this power-up is left')
  demand(elapsedMs < escapeMs(open), 'the targets have escaped')
  const powers = { ...state.powers, [power]: state.powers[power] - 1 }
  if (power === 'shield') {
    demand(!state.shielded, 'the shield is already up')
    return { ...state, powers, shielded: true }
  }
  if (power === 'slow') {
    demand(open.slowedAtMs === null, 'time is already slow')
    return { ...state, powers, open: { ...open, slowedAtMs: elapsedMs } }
  }
  demand(open.removed.length === 0, 'two answers are already gone')
  demand(removed.length === 2 && removed[0] !== removed[1] && removed.every(isOption), 'two answers must be removed')
  return { ...state, powers, open: { ...open, removed } }
}

function applyShot(state: QuizState, event: Extract<QuizEvent, { kind: 'shot' }>): QuizState {
  const open = openOf(state)
  // Games from before aim counted have no aim.
  const { option, right, elapsedMs, aim = 0 } = event
  const passedMs = event.atMs - open.dealtAtMs
  demand(isOption(option) && isOption(right) && !open.removed.includes(option), 'there is no such target')
  demand(!open.removed.includes(right), 'the right answer was removed')
  demand(Number.isInteger(elapsedMs) && elapsedMs >= quizRules.shotMinMs, 'too early')
  demand(elapsedMs <= passedMs && elapsedMs >= passedMs - quizRules.latencyGraceMs, 'the shot does not match the clock')
  demand(elapsedMs < escapeMs(open), 'too late')
  demand(Number.isInteger(aim) && aim >= 0 && aim <= 100, 'there is no such aim')
  const hit = option === right
  return resolve(state, {
    result: hit ? 'hit' : 'miss',
    option,
    right,
    gained: hit ? worthOf(state, open, elapsedMs, aim) : 0,
    aim,
  })
}

type Judged = Pick<QuizOutcome, 'result' | 'option' | 'right' | 'gained' | 'aim'>

function resolve(state: QuizState, judged: Judged): QuizState {
  const hit = judged.result === 'hit'
  const shieldUsed = !hit && state.shielded
  const combo = hit ? state.combo + 1 : shieldUsed ? state.combo : 0
  const power = hit && combo % quizRules.powerEvery === 0 ? earnedPower(state) : null
  const resolved = state.resolved + 1
  const lives = state.lives - (hit || shieldUsed ? 0 : 1)
  const cleanLevel = state.cleanLevel && hit
  const levelCleared = lives > 0 && resolved % quizRules.questionsPerLevel === 0
  const completed = levelCleared && resolved === QUESTIONS_IN_GAME
  const lifeGained = levelCleared && !completed && cleanLevel && lives < quizRules.livesMax
  const bonus =
    (levelCleared && cleanLevel ? quizRules.cleanLevelPoints : 0) + (completed ? lives * quizRules.lifePoints : 0)
  return {
    ...state,
    level: levelCleared && !completed ? state.level + 1 : state.level,
    resolved,
    hits: state.hits + (hit ? 1 : 0),
    lives: lives + (lifeGained ? 1 : 0),
    combo,
    comboBest: Math.max(state.comboBest, combo),
    score: state.score + judged.gained + bonus,
    cleanLevel: levelCleared ? true : cleanLevel,
    powers: power ? { ...state.powers, [power]: Math.min(quizRules.powersMax, state.powers[power] + 1) } : state.powers,
    powersEarned: state.powersEarned + (power ? 1 : 0),
    shielded: state.shielded && !shieldUsed,
    open: null,
    outcome: { ...judged, question: state.dealt, bonus, power, shieldUsed, levelCleared, lifeGained },
    end: lives === 0 ? 'lives' : completed ? 'completed' : null,
  }
}

const earnedPower = (state: QuizState): QuizPower =>
  quizPowers[Math.floor(randomAt(state.seed, 77, state.powersEarned) * quizPowers.length)] ?? 'slow'

const isOption = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < quizRules.options

function openOf(state: QuizState): OpenQuestion {
  if (!state.open) throw new ReplayError('no question is open')
  return state.open
}

function demand(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new ReplayError(rule)
}
