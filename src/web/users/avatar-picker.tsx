import { useState } from 'react'
import { type AvatarName, users } from '../../protocol/users.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { notify } from '../../ui/toast.tsx'
import { Avatar } from '../shared/avatar/avatar.tsx'
import { drawings } from '../shared/avatar/drawings.ts'
import { useSavedChoice } from '../shared/page/use-saved-choice.ts'

type Choice = AvatarName | null
const choices: Choice[] = [null, ...(Object.keys(drawings) as AvatarName[])]
const nameOf = (choice: Choice) => (choice ? `${choice.charAt(0).toUpperCase()}${choice.slice(1)}` : 'First letter')

type AvatarPickerProps = { username: string; address: string; chosen: Choice }

/** Lets the user choose what is inside the ring of the avatar. The ring is always drawn from the wallet's address. */
export function AvatarPicker({ username, address, chosen }: AvatarPickerProps) {
  const [open, setOpen] = useState(false)
  const [shown, choose] = useSavedChoice(chosen, {
    route: users.chooseAvatar,
    shownBy: users.me,
    onSaved: ({ Msg }) => notify.success(Msg),
  })
  return (
    <>
      <Button variant="outline" size="s" className="justify-self-start" onClick={() => setOpen(true)}>
        Change avatar
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Your avatar">
        <div className="grid gap-4">
          <p>The ring is drawn from your wallet's address. Choose what is inside it.</p>
          <fieldset className="grid grid-cols-4 gap-2 sm:grid-cols-5">
            <legend className="sr-only">Inside the ring</legend>
            {choices.map((choice) => (
              <RadioCard
                key={nameOf(choice)}
                name="avatar"
                label={nameOf(choice)}
                checked={choice === shown}
                onChange={() => choose(choice, { avatar: choice })}
                className="grid place-items-center rounded-control border-2 border-line py-3 hover:border-line-strong has-checked:border-leaf has-checked:bg-leaf-tint"
              >
                <Avatar name={username} address={address} size={48} {...(choice && { drawing: choice })} />
              </RadioCard>
            ))}
          </fieldset>
          <Button onClick={() => setOpen(false)}>Done</Button>
        </div>
      </Dialog>
    </>
  )
}
