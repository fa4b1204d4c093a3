import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useStoredUser } from '../shared/api/use-stored-user.ts'

/** Shows its content only while a user entry exists in local storage. */
export function RequireUser({ children }: { children: ReactNode }) {
  return useStoredUser() ? children : <Navigate to="/login/register" replace />
}
