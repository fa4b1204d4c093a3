import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

/** Attributes that link a control to its label, hint and error. */
type Control = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }

type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** Shown beside the label, such as a 'Max' link. */
  aside?: ReactNode
  children: (control: Control) => ReactNode
}

export function Field({ label, hint, error, aside, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const described = error || hint ? noteId : undefined
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-semibold text-[15px]">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': described, 'aria-invalid': Boolean(error) })}
      {error ? (
        <p id={noteId} role="alert" className="flex items-start gap-1.5 text-coral-ink text-sm">
          <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
          {error}
        </p>
      ) : (
        hint && (
          <p id={noteId} className="text-faint text-sm">
            {hint}
          </p>
        )
      )}
    </div>
  )
}

export const controlClass =
  'w-full h-13 rounded-control border border-line-strong/70 bg-surface px-4 text-base text-ink transition placeholder:text-faint hover:border-line-strong focus:border-primary focus:outline-2 focus:outline-primary focus:outline-offset-0 aria-invalid:border-coral-ink disabled:opacity-60 [&[readonly]]:bg-sunken'

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} className={`${controlClass} ${className}`} />
}

export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={`${controlClass} h-auto resize-y py-3 ${className}`} />
}
