import { useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { OpenedCheck } from './opened-check.tsx'
import { SealMark, useSealLook } from './seal.tsx'

/** The shield in the header. It opens the check, which runs in this browser. */
export function CheckButton() {
  const [open, setOpen] = useState(false)
  const { words } = useSealLook()
  return (
    <>
      <IconButton label={`Check us: ${words}`} onClick={() => setOpen(true)}>
        <SealMark size={30} />
      </IconButton>
      <OpenedCheck open={open} onClose={() => setOpen(false)} />
    </>
  )
}
