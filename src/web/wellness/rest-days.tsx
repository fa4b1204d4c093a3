import { Moon } from 'lucide-react'
import { useState } from 'react'
import { type WellnessToday, wellness } from '../../protocol/wellness.ts'
import { REST_DAYS_MAX } from '../../protocol/wellness-streak.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall } from '../shared/api/api.ts'
import { Choice } from './choice.tsx'
import { showToday } from './use-today.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Up to two planned rest days a week. They never break a streak. */
export function RestDays({ today }: { today: WellnessToday }) {
  const { rest_weekdays, rest_weekdays_next } = today.streak
  const planned = rest_weekdays_next ?? rest_weekdays
  const [chosen, setChosen] = useState<number[]>()
  const days = chosen ?? planned
  const rest = useCall(wellness.rest)
  const toggle = (day: number) => setChosen(days.includes(day) ? days.filter((other) => other !== day) : [...days, day])
  const isChanged = chosen !== undefined && chosen.toSorted().join() !== planned.toSorted().join()
  const save = () =>
    rest.mutate(
      { weekdays: days },
      {
        onSuccess: ({ data, Msg }) => {
          showToday(data)
          setChosen(undefined)
          notify.success(Msg)
        },
        onError: (error) => notify.error(error.message),
      },
    )
  return (
    <Card className="grid gap-4">
      <div>
        <h2 className="flex items-center gap-2 text-xl">
          <Moon size={20} aria-hidden="true" className="text-violet" /> Rest days
        </h2>
        <p className="mt-1 text-soft">
          Plan up to {REST_DAYS_MAX} a week. They never break your streak. Changes start next Monday.
        </p>
      </div>
      <fieldset className="grid grid-cols-7 gap-1.5" aria-label="Rest days">
        {WEEKDAYS.map((name, day) => (
          <Choice
            key={name}
            type="checkbox"
            name="rest"
            value={name}
            checked={days.includes(day)}
            disabled={!days.includes(day) && days.length >= REST_DAYS_MAX}
            onChange={() => toggle(day)}
          >
            <span aria-hidden="true">{name.slice(0, 1)}</span>
            <span className="sr-only">{name}</span>
          </Choice>
        ))}
      </fieldset>
      {isChanged && (
        <Button onClick={save} busy={rest.isPending}>
          Start next Monday
        </Button>
      )}
      {!isChanged && rest_weekdays_next && (
        <p className="text-faint text-sm">This plan starts next Monday. Your current plan applies until then.</p>
      )}
    </Card>
  )
}
