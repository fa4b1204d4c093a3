import { type QuizGame, quiz } from '../../protocol/quiz.ts'
import { escapeMs, motionMs, type OpenQuestion, type QuizPower } from '../../protocol/quiz-engine.ts'
import { call } from '../shared/api/api.ts'
import { SHOT_MS } from './effects.ts'

/**
 * between: no question is open, the countdown runs · dealing and firing: the server is asked · aiming: targets fly ·
 * judged: the outcome is shown · paused · lost: no answer from the server · over
 */
export type Phase = 'between' | 'dealing' | 'aiming' | 'firing' | 'judged' | 'paused' | 'lost' | 'over'

export type SessionState = {
  game: QuizGame
  phase: Phase
  /** When the open question came on the screen, by this page's own clock. */
  openedAtMs: number
  /** The option that was shot and when; the targets hold still from then on. */
  fired: { option: number; elapsedMs: number } | null
  /** What stands between now and the next question. */
  interlude: 'countdown' | 'level' | 'none'
}

export type Session = ReturnType<typeof createSession>

/** The game's state as the server has it. A call that fails is followed by a look at where the game is. */
function createStore(initial: QuizGame) {
  const interlude = initial.question ? 'none' : 'countdown'
  let state: SessionState = { game: initial, phase: 'between', openedAtMs: 0, fired: null, interlude }
  const listeners = new Set<() => void>()
  const set = (change: Partial<SessionState>) => {
    state = { ...state, ...change }
    keepScore(state.game.score)
    for (const listener of listeners) listener()
  }

  function take(game: QuizGame, resting: Phase = 'between'): void {
    const isNew = game.question && (state.phase === 'dealing' || game.question.number !== state.game.question?.number)
    const openedAtMs = isNew ? performance.now() - (game.question?.elapsed_ms ?? 0) : state.openedAtMs
    const phase = phaseOf(game, resting)
    set({ game, phase, openedAtMs, fired: phase === 'judged' ? state.fired : null })
  }

  async function ask(send: () => Promise<{ game: QuizGame }>, resting?: Phase): Promise<void> {
    try {
      take((await send()).game, resting)
    } catch {
      await catchUp()
    }
  }

  async function catchUp(): Promise<void> {
    try {
      take((await call(quiz.show, { id: state.game.id })).game)
    } catch {
      set({ phase: 'lost' })
    }
  }

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return { read: () => state, subscribe, set, ask, catchUp }
}

/** One game as this page plays it: every move is a call to the server. */
export function createSession(initial: QuizGame) {
  const { read, subscribe, set, ask, catchUp } = createStore(initial)
  const elapsedMs = () => read().fired?.elapsedMs ?? performance.now() - read().openedAtMs

  return {
    read,
    subscribe,
    elapsedMs,
    catchUp,
    /** The next question; or the open one again, if the page was loaded anew. */
    async deal(): Promise<void> {
      if (read().phase === 'dealing') return
      set({ phase: 'dealing', fired: null })
      await ask(() => call(quiz.deal, { id: read().game.id }))
    },
    async shoot(option: number): Promise<void> {
      const open = openOf(read().game)
      if (read().phase !== 'aiming' || !open || open.removed.includes(option)) return
      const atMs = Math.round(elapsedMs())
      if (atMs >= escapeMs(open)) return
      set({ phase: 'firing', fired: { option, elapsedMs: atMs } })
      const { id, score } = read().game
      const shot = call(quiz.shoot, { id, score, question: open.number, option, at_ms: atMs })
      // However fast the answer, the shot is in the air for a moment.
      await ask(async () => (await Promise.all([shot, new Promise((land) => setTimeout(land, SHOT_MS))]))[0])
    },
    /** The targets have left the field. */
    async escape(): Promise<void> {
      const open = openOf(read().game)
      if (read().phase !== 'aiming' || !open) return
      set({ phase: 'dealing' })
      const { id, score } = read().game
      await ask(() => call(quiz.shoot, { id, score, question: open.number, option: null }))
    },
    async spendPower(power: QuizPower): Promise<boolean> {
      const { game, phase } = read()
      if (phase !== 'aiming' || !game.question || game.powers[power] < 1) return false
      const question = game.question.number
      await ask(() => call(quiz.power, { id: game.id, question, power }))
      return read().game.powers[power] < game.powers[power]
    },
    async pause(): Promise<void> {
      const { game, phase } = read()
      if (phase === 'judged' || phase === 'between') return set({ phase: 'paused' })
      if (phase !== 'aiming' || !game.question || game.pauses_left < 1) return
      const question = game.question.number
      await ask(() => call(quiz.pause, { id: game.id, question }), 'paused')
    },
    resume: () => set({ phase: 'between', interlude: 'countdown', fired: null, game: withoutOutcome(read().game) }),
    /** On from the outcome: to the next question, or to the results. */
    goOn: () => {
      if (read().phase !== 'judged') return
      const interlude = read().game.outcome?.level_cleared ? 'level' : 'none'
      set({ phase: read().game.end ? 'over' : 'between', interlude, fired: null, game: withoutOutcome(read().game) })
    },
    stop: () => ask(() => call(quiz.end, { id: read().game.id })),
  }
}

/** A game that was stopped has nothing left to tell but its result; one that ended by a shot first tells of the shot. */
function phaseOf({ end, question, outcome }: QuizGame, resting: Phase): Phase {
  if (end === 'stopped' || end === 'expired') return 'over'
  if (question) return 'aiming'
  return outcome ? 'judged' : end ? 'over' : resting
}

const withoutOutcome = (game: QuizGame): QuizGame => ({ ...game, outcome: null })

/** The open question in the engine's own terms, for its paths and figures. */
export function openOf({ question }: QuizGame): OpenQuestion | null {
  if (!question) return null
  const { number, window_ms, slowed_at_ms, removed } = question
  return { number, dealtAtMs: 0, windowMs: window_ms, slowedAtMs: slowed_at_ms, removed }
}

/** How far the targets have come, from 0 to 1 at their escape. */
export const shareOf = (open: OpenQuestion, elapsedMs: number): number =>
  Math.min(1, motionMs(open, elapsedMs) / open.windowMs)

/** The spec keeps the score in local storage under `score`. */
function keepScore(score: number): void {
  try {
    localStorage.setItem('score', String(score))
  } catch {
    // Storage is shut: the score lives on the server anyway.
  }
}
