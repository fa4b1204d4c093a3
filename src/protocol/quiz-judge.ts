import { escapeMs, type QuizEvent, type QuizPower, type QuizState, quizRules } from './quiz-engine.ts'

/** What a player asks for. `claimedMs` is the player's own count of the time since the question was on the screen. */
export type QuizAction =
  | { kind: 'deal' }
  | { kind: 'shot'; question: number; option: number; claimedMs?: number | undefined }
  | { kind: 'escape'; question: number }
  | { kind: 'power'; question: number; power: QuizPower }
  | { kind: 'pause'; question: number }
  | { kind: 'end' }

/** What only the dealer knows about the open question. */
export type QuizSecrets = { right: number; removed: number[] }

export type Verdict = { event: QuizEvent } | { refusal: string }

const CLAIM_TOLERANCE_MS = 250

/** The event this action becomes at `nowMs` of the judge's clock, or the reason it is refused. Changes nothing. */
export function judge(state: QuizState, action: QuizAction, nowMs: number, secrets: QuizSecrets): Verdict {
  // A clock set back must not stop a game that is running.
  const atMs = Math.max(Math.floor(nowMs), state.atMs)
  if (state.end) return { refusal: 'This game is over.' }
  if (action.kind === 'end') return { event: { kind: 'end', atMs, reason: 'stopped' } }
  if (action.kind === 'deal') {
    return state.open ? { refusal: 'A question is open already.' } : { event: { kind: 'deal', atMs } }
  }
  const { open } = state
  if (action.question > state.dealt) return { refusal: 'Too early: this question has not been dealt.' }
  if (!open || action.question !== open.number) return { refusal: 'This question has been answered already.' }
  const elapsedMs = atMs - open.dealtAtMs
  switch (action.kind) {
    case 'shot':
      return judgeShot(state, action, atMs, secrets.right)
    case 'escape':
      return elapsedMs < escapeMs(open)
        ? { refusal: 'Too early: the targets are still in the field.' }
        : { event: { kind: 'escape', atMs, right: secrets.right } }
    case 'power': {
      const refusal = powerRefusal(state, action.power, elapsedMs)
      const removed = action.power === 'fifty' ? secrets.removed : []
      return refusal ? { refusal } : { event: { kind: 'power', atMs, power: action.power, removed } }
    }
    case 'pause':
      return state.pauses < quizRules.pausesMax
        ? { event: { kind: 'pause', atMs } }
        : { refusal: 'No pause is left in this game; you can rest after this shot.' }
  }
}

function judgeShot(
  state: QuizState,
  shot: Extract<QuizAction, { kind: 'shot' }>,
  atMs: number,
  right: number,
): Verdict {
  const { open } = state
  if (!open) return { refusal: 'This question has been answered already.' }
  if (open.removed.includes(shot.option)) return { refusal: 'This target is gone.' }
  const passedMs = atMs - open.dealtAtMs
  const claimedMs = shot.claimedMs ?? passedMs
  if (claimedMs > passedMs + CLAIM_TOLERANCE_MS) return { refusal: 'This shot says it comes from the future.' }
  // The time on the way is the network's, not the player's; more than the grace is not believed.
  const elapsedMs = Math.min(passedMs, Math.max(Math.floor(claimedMs), passedMs - quizRules.latencyGraceMs))
  if (elapsedMs < quizRules.shotMinMs) return { refusal: 'Too early: nobody reads that fast.' }
  if (elapsedMs >= escapeMs(open)) return { refusal: 'Too late: the targets have escaped.' }
  return { event: { kind: 'shot', atMs, elapsedMs, option: shot.option, right } }
}

function powerRefusal(state: QuizState, power: QuizPower, elapsedMs: number): string | undefined {
  const { open } = state
  if (state.powers[power] < 1) return 'None of this power-up is left.'
  if (!open || elapsedMs >= escapeMs(open)) return 'Too late: the targets have escaped.'
  if (power === 'slow' && open.slowedAtMs !== null) return 'Time is slow already.'
  if (power === 'fifty' && open.removed.length > 0) return 'Two answers are gone already.'
  if (power === 'shield' && state.shielded) return 'The shield is up already.'
  return undefined
}
