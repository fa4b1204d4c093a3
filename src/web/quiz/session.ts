import type { QuizGame } from '../../protocol/quiz.ts'
import { escapeMs, motionMs, type OpenQuestion, type QuizPower } from '../../protocol/quiz-engine.ts'
import { notify } from '../../ui/toast.tsx'
import { SHOT_MS } from './effects.ts'
import type { Moves } from './moves.ts'

/**
 * between: no open question, the countdown runs · dealing, firing: a request is in flight · aiming: targets fly ·
 * judged: the outcome is shown · paused · lost: the server does not reply · over
 */
export type Phase = 'between' | 'dealing' | 'aiming' | 'firing' | 'judged' | 'paused' | 'lost' | 'over'

export type SessionState = {
  game: QuizGame
  phase: Phase
  /** When the open question appeared, by the browser's clock. */
  openedAtMs: number
  /** The option that was shot, and when. The targets stop moving at that time. */
  fired: { option: number; elapsedMs: number } | null
  /** What to show before the next question. */
  interlude: 'countdown' | 'level' | 'none'
}

export type Session = ReturnType<typeof createSession>

/** The server's game state. After a failed call, it reloads the game from the server. */
function createStore(initial: QuizGame, moves: Moves) {
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
    } catch (error) {
      notify.error((error as Error).message)
      await catchUp()
    }
  }

  async function catchUp(): Promise<void> {
    try {
      take((await moves.show()).game)
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

/** Plays one game. Every move is a call to the server. */
export function createSession(initial: QuizGame, moves: Moves) {
  const { read, subscribe, set, ask, catchUp } = createStore(initial, moves)
  const elapsedMs = () => read().fired?.elapsedMs ?? performance.now() - read().openedAtMs

  return {
    read,
    subscribe,
    elapsedMs,
    catchUp,
    /** Gets the next question, or the open one again after a page reload. */
    async deal(): Promise<void> {
      if (read().phase === 'dealing') return
      set({ phase: 'dealing', fired: null })
      await ask(moves.deal)
    },
    async shoot(option: number, aim: number): Promise<void> {
      const open = openOf(read().game)
      if (read().phase !== 'aiming' || !open || open.removed.includes(option)) return
      const atMs = Math.round(elapsedMs())
      if (atMs >= escapeMs(open)) return
      set({ phase: 'firing', fired: { option, elapsedMs: atMs } })
      const shot = moves.shoot({ score: read().game.score, question: open.number, option, at_ms: atMs, aim })
      // Wait for the shot animation even if the server replies sooner.
      await ask(async () => (await Promise.all([shot, new Promise((land) => setTimeout(land, SHOT_MS))]))[0])
    },
    /** Reports that time ran out: the targets have left the board. */
    async escape(): Promise<void> {
      const open = openOf(read().game)
      if (read().phase !== 'aiming' || !open) return
      set({ phase: 'dealing' })
      await ask(() => moves.shoot({ score: read().game.score, question: open.number, option: null }))
    },
    async spendPower(power: QuizPower): Promise<boolean> {
      const { game, phase } = read()
      if (phase !== 'aiming' || !game.question || game.powers[power] < 1) return false
      const question = game.question.number
      await ask(() => moves.power(question, power))
      return read().game.powers[power] < game.powers[power]
    },
    async pause(): Promise<void> {
      const { game, phase } = read()
      if (phase === 'judged' || phase === 'between') return set({ phase: 'paused' })
      if (phase !== 'aiming' || !game.question || game.pauses_left < 1) return
      const question = game.question.number
      await ask(() => moves.pause(question), 'paused')
    },
    resume: () => set({ phase: 'between', interlude: 'countdown', fired: null, game: withoutOutcome(read().game) }),
    /** Leaves the outcome for the next question or the results. */
    goOn: () => {
      if (read().phase !== 'judged') return
      const interlude = read().game.outcome?.level_cleared ? 'level' : 'none'
      set({ phase: read().game.end ? 'over' : 'between', interlude, fired: null, game: withoutOutcome(read().game) })
    },
    stop: () => ask(moves.end),
  }
}

/** A stopped game goes straight to its result. A game that ended with a shot shows the outcome of that shot first. */
function phaseOf({ end, question, outcome }: QuizGame, resting: Phase): Phase {
  if (end === 'stopped' || end === 'expired') return 'over'
  if (question) return 'aiming'
  return outcome ? 'judged' : end ? 'over' : resting
}

const withoutOutcome = (game: QuizGame): QuizGame => ({ ...game, outcome: null })

/** Converts the open question to the engine's type. */
export function openOf({ question }: QuizGame): OpenQuestion | null {
  if (!question) return null
  const { number, window_ms, slowed_at_ms, removed } = question
  return { number, dealtAtMs: 0, windowMs: window_ms, slowedAtMs: slowed_at_ms, removed }
}

/** Progress of the targets, from 0 to 1, where they escape. */
export const shareOf = (open: OpenQuestion, elapsedMs: number): number =>
  Math.min(1, motionMs(open, elapsedMs) / open.windowMs)

/** The spec keeps the score in local storage under `score`. */
function keepScore(score: number): void {
  try {
    localStorage.setItem('score', String(score))
  } catch {
    // Storage is unavailable. The server has the score anyway.
  }
}
