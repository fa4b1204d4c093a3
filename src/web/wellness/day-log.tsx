import { BookOpenCheck, Footprints, Leaf, Sparkles, Undo2, Wind } from 'lucide-react'
import type { ReactNode } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { type WellnessEntry, type WellnessToday, wellness } from '../../protocol/wellness.ts'
import { refuseRemoval } from '../../protocol/wellness-day.ts'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/states.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall } from '../shared/api/api.ts'
import { clock, mealNames, partNames, sourceNames, workoutNames } from './pillars.ts'
import { showToday } from './use-today.ts'

/** Today's entries with their source. Users can remove those they logged, unless a closed ring needs them. */
export function DayLog({ today }: { today: WellnessToday }) {
  const remove = useCall(wellness.remove)
  const removeEntry = (entry: WellnessEntry) =>
    remove.mutate(
      { entry_id: entry.id },
      {
        onSuccess: ({ data }) => {
          showToday(data)
          notify.neutral('Entry removed')
        },
        onError: (error) => notify.error(error.message),
      },
    )
  return (
    <Card className="grid gap-3">
      <h2 className="text-xl">Today so far</h2>
      {today.entries.length === 0 ? (
        <Empty title="Nothing logged yet" icon={<BookOpenCheck aria-hidden="true" />}>
          Your activity, meals, games and breathing exercises appear here.
        </Empty>
      ) : (
        <ul className="grid divide-y divide-line">
          {today.entries.toReversed().map((entry) => (
            <li key={entry.id} className="flex min-h-14 items-center gap-3 py-2">
              <span aria-hidden="true" className="text-faint">
                {icons[entry.kind]}
              </span>
              <span className="grid min-w-0 grow leading-snug">
                <span className="figures font-semibold">{entryText(entry)}</span>
                <span className="text-faint text-sm">{sourceNames[entry.source]}</span>
              </span>
              {entry.source === 'manual' && !refuseRemoval(entry.id, today.day, today.entries) && (
                <IconButton
                  label={`Remove ${entryText(entry)}`}
                  disabled={remove.isPending}
                  onClick={() => removeEntry(entry)}
                >
                  <Undo2 size={18} aria-hidden="true" />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const icons: Record<WellnessEntry['kind'], ReactNode> = {
  steps: <Footprints size={20} />,
  workout: <Footprints size={20} />,
  meal: <Leaf size={20} />,
  breathing: <Wind size={20} />,
  quiz: <Sparkles size={20} />,
}

function entryText({ kind, amount, detail, parts }: WellnessEntry): string {
  if (kind === 'steps') return `${figureText(amount)} steps`
  if (kind === 'workout') return `${workoutNames[detail as keyof typeof workoutNames] ?? 'Workout'}, ${amount} min`
  if (kind === 'breathing') return `${clock(amount)} min of breathing`
  if (kind === 'quiz') return `${amount} right answers`
  return `${mealNames[detail as keyof typeof mealNames] ?? 'Meal'}: ${parts.map((part) => partNames[part].toLowerCase()).join(', ')}`
}
