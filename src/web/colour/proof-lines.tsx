import { CircleHelp, Check as Tick, TriangleAlert } from 'lucide-react'
import type { Check } from '../shared/draws/check-round.ts'

const LINE_MS = 380

type ProofLinesProps = { check: Check; className?: string }

/** What this browser has checked, one line after the other, and what it could not check. */
export function ProofLines({ check: { verdict, notes, gaps }, className = '' }: ProofLinesProps) {
  const Icon = verdict === 'right' ? Tick : TriangleAlert
  const lines = [...notes.map((text) => ({ text, Icon })), ...gaps.map((text) => ({ text, Icon: CircleHelp }))]
  return (
    <ul className={`grid gap-1 ${className}`} aria-label="What your browser checked">
      {lines.map(({ text, Icon: Mark }, index) => (
        <li key={text} className="flex animate-rise gap-2" style={{ animationDelay: `${index * LINE_MS}ms` }}>
          <Mark size="1.25em" strokeWidth={3} aria-hidden="true" className="mt-[.1em] shrink-0" />
          {text}
        </li>
      ))}
    </ul>
  )
}
