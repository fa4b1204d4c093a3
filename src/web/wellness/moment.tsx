import { Flame, Sparkles, Star } from 'lucide-react'
import { figureText } from '../../protocol/figures.ts'
import { pointsForLevel } from '../../protocol/users.ts'
import type { Gain } from '../../protocol/wellness.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Ring } from '../../ui/ring.tsx'

/** Celebrates a new level, a streak milestone or a perfect day. */
export function Moment({ gain, onClose }: { gain: Gain | undefined; onClose: () => void }) {
  const isLevel = gain !== undefined && gain.level_after > gain.level_before
  const title = !gain ? '' : isLevel ? `Level ${gain.level_after}!` : milestoneOr(gain)
  return (
    <Dialog
      open={gain !== undefined}
      onClose={onClose}
      title={title}
      actions={<Button onClick={onClose}>Great</Button>}
    >
      {gain && (
        <div className="grid justify-items-center gap-5 text-center">
          <Ring value={1} size={168} stroke={14} tone={isLevel ? 'leaf' : gain.milestone_days ? 'coral' : 'violet'}>
            <span className="grid animate-pop justify-items-center gap-1 text-ink">
              {isLevel ? <Star size={30} aria-hidden="true" /> : <MomentIcon gain={gain} />}
              <span className="font-display text-4xl">{isLevel ? gain.level_after : `+${gain.points}`}</span>
            </span>
          </Ring>
          <ul className="grid gap-1 text-lg">
            {gain.perfect_day && <li>All four rings closed today.</li>}
            {gain.milestone_days !== null && <li>{gain.milestone_days} days in a row.</li>}
            <li className="figures">
              <strong className="text-ink">+{gain.points} points</strong>
            </li>
            {isLevel && (
              <li className="figures text-base text-faint">
                Next level at {figureText(pointsForLevel(gain.level_after + 1))} points
              </li>
            )}
          </ul>
        </div>
      )}
    </Dialog>
  )
}

const milestoneOr = ({ milestone_days }: Gain): string =>
  milestone_days === null ? 'A perfect day!' : `${milestone_days} days in a row!`

const MomentIcon = ({ gain }: { gain: Gain }) =>
  gain.milestone_days === null ? <Sparkles size={30} aria-hidden="true" /> : <Flame size={30} aria-hidden="true" />
