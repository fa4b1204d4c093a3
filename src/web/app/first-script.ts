/**
 * The first script of every document. It imports almost nothing, so it runs before all others are there. It greets the
 * user on Home, by the name that this browser has stored, and fetches the code of the page once something is on screen.
 */
import { GREETING_ID, greetingOf } from '../home/greeting.ts'
import { readStoredUser } from '../shared/api/stored-user.ts'

/** A page in the background paints nothing. Its code is fetched all the same. */
const PAINT_MS_MAX = 1_000

greet()
new PerformanceObserver(fetchCode).observe({ type: 'paint', buffered: true })
setTimeout(fetchCode, PAINT_MS_MAX)

function greet(): void {
  const [place, user] = [document.getElementById(GREETING_ID), readStoredUser()]
  if (place && user && location.pathname === '/user/home') place.textContent = greetingOf(user)
}

/** The build puts scripts and preload links into a template, where they do nothing (vite.config.ts). */
function fetchCode(): void {
  const code = document.querySelector<HTMLTemplateElement>('template#code')
  if (code) document.head.append(code.content)
}
