import { escapeMs, type QuizEvent, type QuizPower, type QuizState, quizRules } from './quiz-engine.ts'

/**
 * An action of the player. The browser measures `claimedMs`, the time since the question appeared, and `aim`: only it sees
 * the pointer. A program could claim a perfect aim, as it could point perfectly, so aim is worth little.
 */
export type QuizAction =
  | { kind: 'deal' }
  | { kind: 'shot'; question: number; option: number; claimedMs?: number | undefined; aim?: number | undefined }
  | { kind: 'escape'; question: number }
  | { kind: 'power'; question: number; power: QuizPower }
  | { kind: 'pause'; question: number }
  | { kind: 'end' }

/** Data about the open question that the player must not see yet. */
export type QuizSecrets = { right: number; removed: number[] }

export type Verdict = { event: QuizEvent } | { refusal: string }

const CLAIM_TOLERANCE_MS = 250

/** Returns the event for this action at `nowMs` on the judge's clock, or why it is refused. Changes nothing. */
export function judge(state: QuizState, action: QuizAction, nowMs: number, secrets: QuizSecrets): Verdict {
  // A clock set back must not stop a running game.
  const atMs = Math.max(Math.floor(nowMs), state.atMs)
  if (state.end) return { refusal: 'This game is over.' }
  if (action.kind === 'end') return { event: { kind: 'end', atMs, reason: 'stopped' } }
  if (action.kind === 'deal') {
    return state.open ? { refusal: 'A question is already open.' } : { event: { kind: 'deal', atMs } }
  }
  const { open } = state
  if (action.question > state.dealt) return { refusal: 'Too early: this question has not been dealt.' }
  if (!open || action.question !== open.number) return { refusal: 'This question has already been answered.' }
  const elapsedMs = atMs - open.dealtAtMs
  switch (action.kind) {
    case 'shot':
      return judgeShot(state, action, atMs, secrets.right)
    case 'escape':
      return elapsedMs < escapeMs(open)
        ? { refusal: 'Too early: the targets are still on the board.' }
        : { event: { kind: 'escape', atMs, right: secrets.right } }
    case 'power': {
      const refusal = powerRefusal(state, action.power, elapsedMs)
      const removed = action.power === 'fifty' ? secrets.removed : []
      return refusal ? { refusal } : { event: { kind: 'power', atMs, power: action.power, removed } }
    }
    case 'pause':
      return state.pauses < quizRules.pausesMax
        ? { event: { kind: 'pause', atMs } }
        : { refusal: 'You have no pauses left in this game. You can rest after this shot.' }
  }
}

function judgeShot(
  state: QuizState,
  shot: Extract<QuizAction, { kind: 'shot' }>,
  atMs: number,
  right: number,
): Verdict {
  const { open } = state
  if (!open) return { refusal: 'This question has already been answered.' }
  if (open.removed.includes(shot.option)) return { refusal: 'This target is gone.' }
  const passedMs = atMs - open.dealtAtMs
  const claimedMs = shot.claimedMs ?? passedMs
  if (claimedMs > passedMs + CLAIM_TOLERANCE_MS) return { refusal: 'The time of this shot is in the future.' }
  // Latency does not count against the player, so it is subtracted, up to the grace.
  const elapsedMs = Math.min(passedMs, Math.max(Math.floor(claimedMs), passedMs - quizRules.latencyGraceMs))
  if (elapsedMs < quizRules.shotMinMs) return { refusal: 'Too early: the question has only just appeared.' }
  if (elapsedMs >= escapeMs(open)) return { refusal: 'Too late: the targets have escaped.' }
  return { event: { kind: 'shot', atMs, elapsedMs, option: shot.option, right, aim: shot.aim ?? 0 } }
}

function powerRefusal(state: QuizState, power: QuizPower, elapsedMs: number): string | undefined {
  const { open } = state
  if (state.powers[power] < 1) return 'You have none of this power-up left.'
  if (!open || elapsedMs >= escapeMs(open)) return 'Too late: the targets have escaped.'
  if (power === 'slow' && open.slowedAtMs !== null) return 'Time is already slow.'
  if (power === 'fifty' && open.removed.length > 0) return 'Two answers are already gone.'
  if (power === 'shield' && state.shielded) return 'Your shield is already up.'
  return undefined
}
