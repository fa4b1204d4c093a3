import { Outlet } from 'react-router'
import { Toaster } from '../../ui/toast.tsx'

export function Layout() {
  return (
    <main tabIndex={-1}>
      <Toaster />
      <Outlet />
    </main>
  )
}
