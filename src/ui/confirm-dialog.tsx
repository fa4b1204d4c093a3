import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  title: string
  /** What the button says that acts. */
  action: ReactNode
  onConfirm: () => void
  onCancel: () => void
  /** Under way: nothing can be pressed, and the dialog stays. */
  busy: boolean
  /** Not before something is filled in. */
  disabled?: boolean
  children: ReactNode
}

/** The last look before something happens: Cancel on the left, what acts on the right. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, action, onConfirm, onCancel, busy, disabled = false, children } = props
  return (
    <Dialog
      open={open}
      onClose={onCancel}
      title={title}
      locked={busy}
      actions={
        <>
          <Button variant="quiet" onClick={onCancel} disabled={busy}>
            Cancel
          </Button>
          <Button onClick={onConfirm} busy={busy} disabled={disabled}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
