import type { StoredUser } from '../shared/api/stored-user.ts'

/** The place for the greeting in the document of the user area (first-paint.tsx). */
export const GREETING_ID = 'greeting'

export const greetingOf = (user: StoredUser | undefined): string =>
  `${greetingAt(new Date().getHours())}, ${user?.username || 'friend'}`

function greetingAt(hour: number): string {
  if (hour < 5) return 'Still up'
  if (hour < 12) return 'Good morning'
  return hour < 18 ? 'Good afternoon' : 'Good evening'
}
