import { Shield, ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { Ring } from '../../../ui/ring.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { type Seal, sealOf } from './report.ts'
import { useSeal } from './seal-store.ts'

const looks: Record<Seal, { icon: typeof Shield; tone: Tone; words: string }> = {
  right: { icon: ShieldCheck, tone: 'leaf', words: 'Checked by your browser' },
  open: { icon: ShieldQuestionMark, tone: 'gold', words: 'Checked, with open points' },
  wrong: { icon: ShieldAlert, tone: 'coral', words: 'Something does not match' },
}

/** What the last check found, for a picture and in words. The ring is closed only if nothing was left unchecked. */
export function useSealLook() {
  const { report, isChecking } = useSeal()
  const seal = report && sealOf(report)
  const look = seal ? looks[seal] : { icon: Shield, tone: 'leaf' as Tone, words: 'Not checked yet' }
  const share = isChecking ? undefined : seal === 'right' ? 1 : seal === 'open' ? 0.7 : 0
  return { ...look, share, words: isChecking ? 'Your browser is checking…' : look.words, isChecking, report }
}

/** The shield in its ring: spinning while the browser checks, closed if everything passed. */
export function SealMark({ size }: { size: number }) {
  const { icon: Icon, tone, share } = useSealLook()
  return (
    <Ring value={share} size={size} stroke={Math.max(3, size / 14)} tone={tone}>
      <Icon size={size * 0.5} aria-hidden="true" className="block" />
    </Ring>
  )
}
