import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  title: string
  /** Label of the confirm button. */
  action: ReactNode
  onConfirm: () => void
  onCancel: () => void
  /** In progress: the buttons are disabled and the dialog stays open. */
  busy: boolean
  /** Disables the confirm button, for example until a field is filled in. */
  disabled?: boolean
  children: ReactNode
}

/** Asks for confirmation: Cancel on the left, the confirm button on the right. */
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
