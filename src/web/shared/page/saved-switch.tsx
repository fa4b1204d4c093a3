import type { ReactNode } from 'react'
import type { InputOf, Route } from '../../../protocol/route.ts'
import { Switch, SwitchSkeleton } from '../../../ui/switch.tsx'
import { notify } from '../../../ui/toast.tsx'
import type { CallError } from '../api/api.ts'
import { FailedLine } from './failed-read.tsx'
import { useSavedChoice } from './use-saved-choice.ts'

type SavedSwitchProps<R extends Route> = {
  label: string
  hint: ReactNode
  /** The value stored on the server; undefined while it loads, and if it did not load. */
  saved: boolean | undefined
  failure: CallError | null
  /** Saves the choice. */
  route: R
  inputFor: (checked: boolean) => InputOf<R>
  /** The route to refetch after saving. */
  shownBy: Route
}

/** A switch whose state is stored on the server. It changes at the tap. */
export function SavedSwitch<R extends Route>(props: SavedSwitchProps<R>) {
  const { label, hint, saved, failure, route, inputFor, shownBy } = props
  const [shown, choose] = useSavedChoice(saved, {
    route,
    shownBy,
    onSaved: (reply) => notify.success((reply as { Msg: string }).Msg),
  })
  if (shown === undefined && failure) return <FailedLine error={failure} />
  if (shown === undefined) return <SwitchSkeleton label={label} hint={hint} />
  return <Switch label={label} hint={hint} checked={shown} onChange={(checked) => choose(checked, inputFor(checked))} />
}
