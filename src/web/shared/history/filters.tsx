import type { ReactNode } from 'react'
import { type Day, day } from '../../../protocol/time.ts'
import { Field, TextInput } from '../../../ui/field.tsx'
import { midnightUtcText } from '../../../ui/format.ts'
import { Select } from '../../../ui/select.tsx'

/** A choice of one value, such as a state. The first option has the value '' and means all. */
export type Choice = { name: string; label: string; options: readonly { value: string; label: string }[] }

/** What is chosen, by the name of the filter. An empty text does not filter. */
export type Filter = Record<string, string>

const FIRST_DAY = '1970-01-01'
const LAST_DAY = '2999-12-31'

type FiltersProps = {
  choices: readonly Choice[]
  filter: Filter
  onFilter: (changes: Filter) => void
  /** A control of the page itself, before the others. */
  leading?: ReactNode
}

export function Filters({ choices, filter, onFilter, leading }: FiltersProps) {
  const controls = choices.length + (leading ? 3 : 2)
  // Narrow windows have two columns, and the first of an odd number of controls takes both. On phones a choice takes both,
  // so that its text is not cut.
  const columns = controls % 2 === 1 ? 'lg:grid-cols-3 max-lg:[&>:first-child]:col-span-2' : 'lg:grid-cols-4'
  return (
    <div className="grid gap-2">
      <div
        className={`grid grid-cols-2 gap-3 sm:gap-4 [&>div]:min-w-0 max-sm:[&>div:has(select)]:col-span-2 ${columns}`}
      >
        {leading}
        {choices.map(({ name, label, options }) => (
          <Field key={name} label={label}>
            {(control) => (
              <Select
                {...control}
                options={options}
                value={filter[name] ?? ''}
                onChange={(event) => onFilter({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <DayField label="From" name="from" filter={filter} onFilter={onFilter} />
        <DayField label="To" name="to" filter={filter} onFilter={onFilter} error={orderProblem(filter)} />
      </div>
      {(filter['from'] || filter['to']) && (
        <p className="text-faint text-sm">Days begin at {midnightUtcText(new Date())}.</p>
      )}
    </div>
  )
}

type DayFieldProps = {
  label: string
  name: 'from' | 'to'
  filter: Filter
  onFilter: (changes: Filter) => void
  error?: string | undefined
}

const DayField = ({ label, name, filter, onFilter, error }: DayFieldProps) => (
  <Field label={label} error={dayProblem(filter[name]) ?? error}>
    {(control) => (
      <TextInput
        {...control}
        type="date"
        min={FIRST_DAY}
        max={LAST_DAY}
        className="min-w-0 max-sm:px-2.5 max-sm:text-sm"
        value={filter[name] ?? ''}
        onChange={(event) => onFilter({ [name]: event.target.value })}
      />
    )}
  </Field>
)

/** While a year is typed, the field already has a date, such as one in the year 2. */
const dayProblem = (text = ''): string | undefined =>
  text === '' ? undefined : day.safeParse(text).error?.issues[0]?.message

const orderProblem = ({ from, to }: Filter): string | undefined =>
  from && to && from > to ? 'Choose a day after the first one' : undefined

/** The filters as fields of a call, without those that are empty or not valid yet. */
export function fieldsOf(filter: Filter): Record<string, string | Day> {
  return Object.fromEntries(
    Object.entries(filter).filter(
      ([name, value]) => value !== '' && !((name === 'from' || name === 'to') && dayProblem(value)),
    ),
  )
}
