import { clearStorage, readStoredUser } from '../shared/api/stored-user.ts'

const LOG_OUT_DELAY_MS = 100

/** Clears local storage and ends the token on the server, without waiting for it: the request outlives the page. */
function endSession(): void {
  const user = readStoredUser()
  clearStorage()
  if (!user) return
  const headers = { 'content-type': 'application/json', token: user.token }
  fetch('/api/auth/logout/', { method: 'POST', headers, body: '{}', keepalive: true }).catch(() => undefined)
}

/** 'Sign out' of the profile menu. */
export function signOut(): void {
  endSession()
  location.assign('/')
}

/** 'Log Out' of the sidebar. */
export function logOut(): void {
  endSession()
  setTimeout(() => location.replace('/'), LOG_OUT_DELAY_MS)
}
