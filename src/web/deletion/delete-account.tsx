import { UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DeletionSheet } from './deletion-sheet.tsx'

/** The last card of the profile. Nothing is deleted before the wallet has signed. */
export function DeleteAccount() {
  const [open, setOpen] = useState(false)
  return (
    <Card weight="quiet" className="grid gap-3">
      <h2 className="text-xl">Delete account</h2>
      <p className="text-soft">
        Deletes your name, your settings, messages, games and everything you logged. Records of money stay. You see what
        stays and why before you decide.
      </p>
      <Button
        variant="danger"
        className="w-fit"
        icon={<UserRoundX size={17} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        Delete my account
      </Button>
      {open && <DeletionSheet onClose={() => setOpen(false)} />}
    </Card>
  )
}
