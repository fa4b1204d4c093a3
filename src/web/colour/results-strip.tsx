import { Check as CheckIcon, TriangleAlert, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Round } from '../../protocol/colour.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ColourMark } from '../shared/draws/colour-mark.tsx'
import { RoundDialog } from './round-dialog.tsx'
import type { Checks } from './use-checks.ts'

type ResultsStripProps = { results: Round[]; checks: Checks; isLoading: boolean }

/** Recent rounds, newest first. A tick marks each round this browser has recomputed. */
export function ResultsStrip({ results, checks, isLoading }: ResultsStripProps) {
  const [shown, setShown] = useState<number>()
  const round = results.find(({ number }) => number === shown)
  if (isLoading) return <Skeleton className="h-18 rounded-inner" />
  if (results.length === 0) return <p className="text-soft">The first round has not been drawn yet.</p>
  return (
    <>
      <ul className="results-strip" aria-label="Last results">
        {results.map((result) => (
          <li key={result.number} className="animate-pop">
            <ResultChip
              round={result}
              verdict={checks.get(result.number)?.verdict}
              onClick={() => setShown(result.number)}
            />
          </li>
        ))}
      </ul>
      <RoundDialog round={round} check={round && checks.get(round.number)} onClose={() => setShown(undefined)} />
    </>
  )
}

type ResultChipProps = { round: Round; verdict: 'right' | 'wrong' | undefined; onClick: () => void }

function ResultChip({ round, verdict, onClick }: ResultChipProps) {
  const words = round.color ? `${round.draw}, ${round.color}` : 'stakes returned'
  const checked = verdict === undefined ? '' : verdict === 'right' ? ', checked' : ', does not match'
  return (
    <button
      type="button"
      onClick={onClick}
      className="relative grid w-14 justify-items-center rounded-[14px] border border-transparent bg-sunken px-1 py-2 transition hover:border-line-strong"
    >
      <span className="sr-only">{`Round ${round.number}: ${words}${checked}`}</span>
      <span aria-hidden="true" className="grid justify-items-center gap-1">
        {round.color ? <ColourMark colour={round.color} size={26} /> : <Undo2 size={26} className="text-faint" />}
        <span className="figures flex items-center gap-0.5 font-semibold text-xs">
          {round.draw ?? '–'}
          {verdict === 'right' && <CheckIcon size={12} strokeWidth={3.5} className="text-leaf-ink" />}
          {verdict === 'wrong' && <TriangleAlert size={12} className="text-coral-ink" />}
        </span>
      </span>
    </button>
  )
}
