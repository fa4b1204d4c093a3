import { startTransition, useOptimistic, useRef } from 'react'
import type { InputOf, OutputOf, Route } from '../../../protocol/route.ts'
import { notify } from '../../../ui/toast.tsx'
import { call } from '../api/api.ts'
import { queries } from '../api/queries.tsx'

/** How a choice is saved: by which route, and which route to read again afterwards. */
type Saving<R extends Route> = { route: R; shownBy: Route; onSaved?: (reply: OutputOf<R>) => void }

/**
 * A choice stored on the server. It is shown from the tap until the stored one was read again,
 * so that it never falls back in between, and the stored one is shown again if saving fails.
 * Saves wait for each other: the last tap is the last to arrive.
 */
export function useSavedChoice<R extends Route, T>(saved: T, { route, shownBy, onSaved }: Saving<R>) {
  const [shown, show] = useOptimistic(saved)
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const choose = (choice: T, input: InputOf<R>) =>
    startTransition(async () => {
      show(choice)
      const saving = before.current.then(() => call(route, input))
      before.current = saving.catch(() => undefined)
      try {
        const reply = await saving
        await queries.invalidateQueries({ queryKey: [shownBy.path] })
        onSaved?.(reply)
      } catch (error) {
        notify.error((error as Error).message)
      }
    })
  return [shown, choose] as const
}
