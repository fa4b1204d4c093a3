import { Outlet } from 'react-router'
import { Toaster } from '../../ui/toast.tsx'
import { WithQueries } from '../queries.tsx'

export function Layout() {
  return (
    <WithQueries>
      <main tabIndex={-1}>
        <Toaster />
        <Outlet />
      </main>
    </WithQueries>
  )
}
