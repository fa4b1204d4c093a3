import { greetingOf } from '../home/greeting.ts'
import { readStoredUser } from '../shared/api/stored-user.ts'

/** The place for the title in the document of the user area (first-paint.tsx). */
export const GREETING_ID = 'greeting'

/** Greets the user on Home before the code of the page has loaded: this browser has stored the name. */
export function greet(): void {
  const [place, user] = [document.getElementById(GREETING_ID), readStoredUser()]
  if (place && user && location.pathname === '/user/home') place.textContent = greetingOf(user)
}
