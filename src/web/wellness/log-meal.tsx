import { useState } from 'react'
import { type Gain, type WellnessToday, wellness } from '../../protocol/wellness.ts'
import { MEAL_PARTS, MEALS, type MealPart, refuseMeal } from '../../protocol/wellness-day.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useCall } from '../shared/api/api.ts'
import { Choice } from './choice.tsx'
import { mealNames, partNames } from './pillars.ts'

type Done = (reply: { gain: Gain; data: WellnessToday; Msg: string }) => void
type Meal = (typeof MEALS)[number]
type LogMealProps = { open: boolean; onClose: () => void; onDone: Done; today: WellnessToday }

/** Logs a meal and its healthy parts. Each meal counts once a day. */
export function LogMeal({ open, onClose, onDone, today }: LogMealProps) {
  const log = useCall(wellness.log)
  const [chosen, setChosen] = useState<Meal>()
  const [parts, setParts] = useState<MealPart[]>([])
  const isLogged = (meal: Meal) => refuseMeal(meal, today.entries) !== undefined
  const meal = chosen && !isLogged(chosen) ? chosen : undefined
  const save = () => {
    if (!meal) return
    const onSuccess: Done = (reply) => {
      setChosen(undefined)
      setParts([])
      onDone(reply)
    }
    log.mutate({ kind: 'meal', meal, parts }, { onSuccess })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Log a healthy meal"
      locked={log.isPending}
      actions={
        <Button onClick={save} busy={log.isPending} disabled={!meal || parts.length === 0}>
          {meal ? `Log ${mealNames[meal].toLowerCase()}` : 'Log'}
        </Button>
      }
    >
      <div className="grid gap-5">
        <fieldset className="grid grid-cols-2 gap-2">
          <legend className="mb-2 font-semibold text-[15px] text-ink">Which meal?</legend>
          {MEALS.map((option) => (
            <Choice
              key={option}
              type="radio"
              name="meal"
              value={option}
              checked={meal === option}
              disabled={isLogged(option)}
              onChange={() => setChosen(option)}
            >
              {mealNames[option]}
              {isLogged(option) && <span className="font-normal text-sm">logged today</span>}
            </Choice>
          ))}
        </fieldset>
        <Parts chosen={parts} onChange={setParts} />
        {log.error && (
          <p role="alert" className="text-coral-ink text-sm">
            {log.error.message}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function Parts({ chosen, onChange }: { chosen: MealPart[]; onChange: (parts: MealPart[]) => void }) {
  const toggle = (part: MealPart) =>
    onChange(chosen.includes(part) ? chosen.filter((other) => other !== part) : [...chosen, part])
  return (
    <fieldset className="grid grid-cols-2 gap-2 [&>label:last-child]:col-span-2">
      <legend className="mb-2 font-semibold text-[15px] text-ink">What healthy things did it include?</legend>
      {MEAL_PARTS.map((part) => (
        <Choice
          key={part}
          type="checkbox"
          name="parts"
          value={part}
          checked={chosen.includes(part)}
          onChange={() => toggle(part)}
        >
          {partNames[part]}
        </Choice>
      ))}
    </fieldset>
  )
}
