import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { Round } from '../../protocol/colour.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { dateTimeText } from '../../ui/format.ts'
import type { Check } from '../shared/draws/check-round.ts'
import { ColourMark } from '../shared/draws/colour-mark.tsx'
import { Summary } from '../shared/money/summary.tsx'
import { ProofLines } from './proof-lines.tsx'

type RoundDialogProps = { round: Round | undefined; check: Check | undefined; onClose: () => void }

/** What this browser checked, and the data needed to repeat the check elsewhere. */
export function RoundDialog({ round, check, onClose }: RoundDialogProps) {
  return (
    <Dialog open={round !== undefined} onClose={onClose} title={`Round ${round?.number ?? ''}`}>
      {round && (
        <div className="grid gap-5">
          {round.color && (
            <p className="flex items-center gap-3 font-display text-ink text-xl">
              <ColourMark colour={round.color} size={44} />
              {round.draw}, {round.color}
            </p>
          )}
          <Verdict check={check} />
          <Summary
            lines={[
              { name: 'Closed', value: dateTimeText(round.closes_at) },
              { name: 'Block', value: round.block_number ?? '–' },
              { name: 'Block hash', value: <Code text={round.block_hash} /> },
              { name: 'Server seed', value: <Code text={round.seed} /> },
            ]}
          />
          <p className="text-sm">
            The draw is the HMAC-SHA-256 of "{round.number}:block hash", keyed with the seed. Check it yourself with any
            tool, or run{' '}
            <code className="whitespace-nowrap rounded bg-sunken px-1.5 py-0.5 text-ink text-xs">
              npm run verify-round -- {round.number}
            </code>
          </p>
        </div>
      )}
    </Dialog>
  )
}

const Code = ({ text }: { text: string | null }) => (
  <code className="block break-all text-left font-normal text-xs">{text ?? '–'}</code>
)

function Verdict({ check }: { check: Check | undefined }) {
  if (!check) return <p className="rounded-inner bg-sunken p-4 text-sm">This browser has not checked this round.</p>
  const isRight = check.verdict === 'right'
  const Icon = isRight ? CircleCheck : TriangleAlert
  return (
    <div
      className={`grid gap-2 rounded-inner p-4 ${isRight ? 'bg-leaf-tint text-leaf-ink' : 'bg-coral-tint text-coral-ink'}`}
    >
      <p className="flex items-center gap-2 font-semibold">
        <Icon size={20} aria-hidden="true" />
        {isRight ? 'Recomputed in your browser' : 'This round does not match'}
      </p>
      <ProofLines check={check} className="text-sm" />
    </div>
  )
}
