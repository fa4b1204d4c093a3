import { Copy } from 'lucide-react'
import { noticeTexts } from '../../protocol/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { notify } from '../../ui/toast.tsx'

type CopyFieldProps = { label: string; value: string; hint?: string }

/** Something to read and to copy, never to change. */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      notify.success(noticeTexts.addressCopied)
    } catch {
      notify.error('The browser did not allow copying. Select the address and copy it by hand.')
    }
  }
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <div className="relative">
          <TextInput {...control} value={value} readOnly className="figures truncate pr-14 text-sm" />
          <IconButton label={`Copy ${label.toLowerCase()}`} onClick={copy} className="absolute! top-1 right-1">
            <Copy size={17} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </Field>
  )
}
