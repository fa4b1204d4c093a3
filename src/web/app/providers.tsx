import '../shared/api/no-eval.ts'
import { Outlet } from 'react-router'
import { Toaster } from '../../ui/toast.tsx'
import { WithQueries } from '../shared/api/queries.tsx'

/** What every page but the landing needs: data from the server, and notifications. */
export function Providers() {
  return (
    <WithQueries>
      <Toaster />
      <Outlet />
    </WithQueries>
  )
}
