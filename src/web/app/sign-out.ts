import { users } from '../../protocol/users.ts'
import { clearStorage, readStoredUser } from '../shared/api/stored-user.ts'

const LOG_OUT_DELAY_MS = 100

/** Clears local storage and revokes the token on the server. `keepalive` lets the request outlive the page. */
export function endSession(): void {
  const user = readStoredUser()
  clearStorage()
  if (!user) return
  const headers = { 'content-type': 'application/json', token: user.token }
  fetch(`/api${users.logout.path}`, { method: users.logout.method, headers, body: '{}', keepalive: true }).catch(
    () => undefined,
  )
}

/** 'Sign out' in the profile menu. */
export function signOut(): void {
  endSession()
  location.assign('/')
}

/** 'Log Out' in the sidebar. */
export function logOut(): void {
  endSession()
  setTimeout(() => location.replace('/'), LOG_OUT_DELAY_MS)
}
