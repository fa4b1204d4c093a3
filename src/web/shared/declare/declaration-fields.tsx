import { CircleSlash } from 'lucide-react'
import { countryCodes } from '../../../protocol/countries.ts'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import type { DeclarationState } from './use-declaration.ts'

type FieldsProps = { declaration: DeclarationState /** What the button does, as in "By paying". */; doing: string }

/** What the button confirms, and the country if it is asked for. Nothing for a user who has declared it. */
export const DeclarationFields = ({ declaration, doing }: FieldsProps) =>
  declaration.asks && (
    <div className="grid gap-3">
      <CountryField declaration={declaration} />
      <p className="text-ink text-sm">
        By {doing} you confirm that you are {declaration.age} or older. We ask only once.
      </p>
    </div>
  )

export const CountryField = ({ declaration: { asksCountry, country, setCountry } }: Pick<FieldsProps, 'declaration'>) =>
  asksCountry && (
    <Field label="Country you live in">
      {(control) => (
        <Select
          {...control}
          value={country}
          onChange={(event) => setCountry(event.target.value)}
          options={[{ value: '', label: 'Choose your country' }, ...countries()]}
        />
      )}
    </Field>
  )

/** In the language of the page, in the order of the alphabet. */
function countries() {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  return countryCodes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}

/** In place of a form that this user cannot use. */
export const Blocked = ({ reason }: { reason: string }) => (
  <p role="alert" className="flex items-start gap-2.5 rounded-inner bg-gold-tint p-4 text-gold-ink">
    <CircleSlash size={20} className="mt-0.5 shrink-0" aria-hidden="true" />
    {reason}
  </p>
)
