/**
 * Greets the user on Home before the code of the page has loaded: this browser has stored the name. A small script of its
 * own, which the document loads before all others (vite.config.ts).
 */
import { GREETING_ID, greetingOf } from '../home/greeting.ts'
import { readStoredUser } from '../shared/api/stored-user.ts'

const [place, user] = [document.getElementById(GREETING_ID), readStoredUser()]
if (place && user && location.pathname === '/user/home') place.textContent = greetingOf(user)
