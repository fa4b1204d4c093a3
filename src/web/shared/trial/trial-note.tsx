import { Sparkles } from 'lucide-react'
import { figureText } from '../../../protocol/figures.ts'
import { useTrial } from './trial.ts'

/** On the sign-up page: what a visitor has played and will keep. */
export function TrialNote() {
  const { best } = useTrial()
  if (!best) return null
  return (
    <p className="flex items-center gap-3 rounded-card bg-leaf-tint px-5 py-4 text-leaf-ink">
      <Sparkles size={20} aria-hidden="true" className="shrink-0" />
      <span>
        <strong>Your {figureText(best.score)} points are waiting.</strong> Sign in, and they are yours.
      </span>
    </p>
  )
}
