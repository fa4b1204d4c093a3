import { Copy } from 'lucide-react'
import { noticeTexts } from '../../protocol/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.ts'
import { Field, TextInput } from '../../ui/field.tsx'

type CopyFieldProps = { label: string; value: string; hint?: string }

/** A read-only field with a copy button. */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <div className="relative">
          <TextInput {...control} value={value} readOnly className="figures truncate pr-14 text-sm" />
          <IconButton
            label={`Copy ${label.toLowerCase()}`}
            onClick={() => copyText(value, noticeTexts.addressCopied)}
            className="absolute! top-1 right-1"
          >
            <Copy size={17} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </Field>
  )
}
