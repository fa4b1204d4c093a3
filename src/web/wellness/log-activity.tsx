import { useState } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { type Gain, type WellnessToday, wellness } from '../../protocol/wellness.ts'
import { refuseActivity, WORKOUTS } from '../../protocol/wellness-day.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { NumberInput } from '../../ui/number-input.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useCall } from '../shared/api/api.ts'
import { Choice } from './choice.tsx'
import { workoutNames } from './pillars.ts'

type Done = (reply: { gain: Gain; data: WellnessToday; Msg: string }) => void
type Workout = (typeof WORKOUTS)[number]
type LogActivityProps = { open: boolean; onClose: () => void; onDone: Done; today: WellnessToday }

const STEP_AMOUNTS = [1_000, 2_500, 5_000, 10_000]
const MINUTE_AMOUNTS = [10, 20, 30, 45, 60]

/** Logs steps or a workout in two or three taps. */
export function LogActivity({ open, onClose, onDone, today }: LogActivityProps) {
  const log = useCall(wellness.log)
  const [tab, setTab] = useState<'steps' | 'workout'>('steps')
  const [amount, setAmount] = useState('')
  const [workout, setWorkout] = useState<Workout>('walk')
  const isSteps = tab === 'steps'
  const value = /^\d{1,6}$/.test(amount) ? Number(amount) : 0
  const refusal = refuseActivity({ kind: tab, amount: value }, today.entries)
  const choose = (next: 'steps' | 'workout') => {
    setTab(next)
    setAmount('')
    log.reset()
  }
  const save = () =>
    log.mutate(isSteps ? { kind: 'steps', steps: value } : { kind: 'workout', workout, minutes: value }, {
      onSuccess: (reply) => {
        setAmount('')
        onDone(reply)
      },
    })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Log activity"
      locked={log.isPending}
      actions={
        <Button onClick={save} busy={log.isPending} disabled={value < 1 || refusal !== undefined}>
          {value > 0 ? `Add ${figureText(value)} ${isSteps ? 'steps' : 'minutes'}` : 'Add'}
        </Button>
      }
    >
      <Tabs
        label="What did you do?"
        tabs={[
          { id: 'steps', label: 'Steps' },
          { id: 'workout', label: 'Workout' },
        ]}
        selected={tab}
        onSelect={choose}
      >
        <div className="grid gap-5">
          {!isSteps && <Workouts selected={workout} onSelect={setWorkout} />}
          <Amount
            label={isSteps ? 'How many steps?' : 'How many minutes?'}
            amounts={isSteps ? STEP_AMOUNTS : MINUTE_AMOUNTS}
            value={amount}
            onChange={setAmount}
            error={
              log.error?.message ?? refusal?.message ?? (amount !== '' && value < 1 ? 'Enter 1 or more' : undefined)
            }
          />
        </div>
      </Tabs>
    </Dialog>
  )
}

function Workouts({ selected, onSelect }: { selected: Workout; onSelect: (workout: Workout) => void }) {
  return (
    <fieldset className="grid grid-cols-3 gap-2">
      <legend className="mb-2 font-semibold text-[15px] text-ink">What was it?</legend>
      {WORKOUTS.map((workout) => (
        <Choice
          key={workout}
          type="radio"
          name="workout"
          value={workout}
          checked={workout === selected}
          onChange={() => onSelect(workout)}
        >
          {workoutNames[workout]}
        </Choice>
      ))}
    </fieldset>
  )
}

type AmountProps = {
  label: string
  amounts: number[]
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

function Amount({ label, amounts, value, onChange, error }: AmountProps) {
  return (
    <div className="grid gap-3">
      <Field label={label} error={error}>
        {(control) => (
          <NumberInput
            {...control}
            value={value}
            inputMode="numeric"
            placeholder="0"
            min="1"
            accepts={/^\d{0,6}$/}
            onText={onChange}
            className="h-16 font-semibold text-2xl"
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        {amounts.map((amount) => (
          <Button
            key={amount}
            size="s"
            variant="quiet"
            className="figures grow"
            onClick={() => onChange(String(amount))}
          >
            {figureText(amount)}
          </Button>
        ))}
      </div>
    </div>
  )
}
