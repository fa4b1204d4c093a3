import type { ReactNode } from 'react'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'

type SavedSwitchProps = {
  label: string
  hint: ReactNode
  /** As the server has it; undefined while it is not known. */
  saved: boolean | undefined
  /** What was just chosen and is on its way. */
  chosen: boolean | undefined
  onChoose: (checked: boolean) => void
}

/** A switch whose state lives on the server: it moves at once and falls back if the server did not take it. */
export function SavedSwitch({ label, hint, saved, chosen, onChoose }: SavedSwitchProps) {
  if (saved === undefined) return <Skeleton className="h-12 rounded-inner" />
  return <Switch label={label} hint={hint} checked={chosen ?? saved} onChange={onChoose} />
}
