import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button.tsx'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** The buttons, with the confirm button last. */
  actions?: ReactNode
  /** Keeps the dialog open while an action is in progress. */
  locked?: boolean
}

/** The native dialog: it traps the focus, closes on Escape and restores the focus. A sheet on phones. */
export function Dialog({ open, onClose, title, children, actions, locked = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = element.current
    if (open && dialog && !dialog.open) dialog.showModal()
    if (!open && dialog?.open) dialog.close()
  }, [open])
  const leave = () => {
    if (!locked) onClose()
  }
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onPointerDown={(event) => {
        if (event.target === element.current) leave()
      }}
      className="mx-auto mt-auto mb-0 w-full max-w-none rounded-t-card bg-raised p-0 text-ink shadow-lift open:animate-sheet sm:my-auto sm:max-w-md sm:rounded-card"
    >
      {open && (
        <div className="grid gap-5 p-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] sm:p-7">
          <div className="-mr-2 flex items-start justify-between gap-4">
            <h2 id={titleId} className="pt-1.5 text-2xl">
              {title}
            </h2>
            <IconButton label="Close" onClick={leave} disabled={locked}>
              <X size={20} aria-hidden="true" />
            </IconButton>
          </div>
          <div className="text-soft">{children}</div>
          {actions && <div className="grid grid-flow-col gap-3 [grid-auto-columns:1fr]">{actions}</div>}
        </div>
      )}
    </dialog>
  )
}
