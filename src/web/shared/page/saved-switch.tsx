import type { ReactNode } from 'react'
import type { InputOf, Route } from '../../../protocol/route.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { notify } from '../../../ui/toast.tsx'
import { type CallError, useCall } from '../api/api.ts'
import { queries } from '../api/queries.tsx'
import { FailedLine } from './failed-read.tsx'

type SavedSwitchProps<R extends Route> = {
  label: string
  hint: ReactNode
  /** The value stored on the server; undefined while it loads, and if it did not load. */
  saved: boolean | undefined
  failure: CallError | null
  /** Saves the choice. */
  route: R
  inputFor: (checked: boolean) => InputOf<R>
  checkedIn: (input: InputOf<R>) => boolean
  /** The route to refetch after saving. */
  shownBy: Route
}

/** A switch whose state is stored on the server. It updates optimistically and reverts if saving fails. */
export function SavedSwitch<R extends Route>(props: SavedSwitchProps<R>) {
  const { label, hint, saved, failure, route, inputFor, checkedIn, shownBy } = props
  const save = useCall(route)
  const chosen = save.isPending ? checkedIn(save.variables) : undefined
  const choose = (checked: boolean) =>
    save.mutate(inputFor(checked), {
      onSuccess: async (reply) => {
        await queries.invalidateQueries({ queryKey: [shownBy.path] })
        notify.success((reply as { Msg: string }).Msg)
      },
      onError: (error) => notify.error(error.message),
    })
  if (saved === undefined && failure) return <FailedLine error={failure} />
  if (saved === undefined) return <Skeleton className="h-12 rounded-inner" />
  return <Switch label={label} hint={hint} checked={chosen ?? saved} onChange={choose} />
}
