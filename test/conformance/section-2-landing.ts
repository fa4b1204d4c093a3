import { everyPath, type Item, landing, type Part, pages, shell } from './item.ts'

const seen = landing('a visitor sees the tagline, the badge, the statistics and a footer with the current year')
const signUp = pages('/login/register registers, and /referral/{referralCode} does so with an invitation')
const under = (path: string, what: string): Item => ({ says: `${path} is ${what}.`, checkedBy: everyPath })

export const routes: Part = {
  section: 2,
  title: 'Route table',
  items: [
    { says: '/ is the landing page.', checkedBy: seen },
    { says: '/referral/{referralCode} is the referral signup page.', checkedBy: signUp },
    { says: '/login/register is the registration page.', checkedBy: signUp },
    {
      says: '/user is the layout with header and sidebar, behind the guard.',
      checkedBy: [
        ...everyPath,
        ...shell('without a stored user everything under /user redirects to the registration page'),
      ],
    },
    under('/user/home', 'the dashboard'),
    under('/user/games2', 'the page of daily challenges'),
    under('/user/quize-game', 'the quiz/shooting game'),
    under('/user/profile', 'the profile'),
    under('/user/referal', 'the referral page'),
    under('/user/plans', 'the plans'),
    under('/user/re-top-up', 'Re Top Up'),
    under('/user/re-top-up-history', 'the Re Top Up history'),
    under('/user/withdrawal', 'the withdrawal'),
    under('/user/internal-transfer', 'the internal transfer'),
    under('/user/wallet', 'the wallet'),
    under('/user/balance', 'the balance'),
    under('/user/withdrawal-history', 'the withdrawal history'),
    under('/user/internal-transfer-history', 'the internal transfer history'),
    under('/user/color-game', 'the colour betting game'),
    under('/user/healthsupport', 'the health support'),
    {
      says: 'Any other path under /user is a coming-soon page.',
      checkedBy: shell('an unknown path under /user is coming soon, and any other unknown path is not found'),
    },
    { says: 'Pages load lazily.', checkedBy: everyPath },
    { says: "The fallback text is 'Loading...'.", checkedBy: shell('a page that is still loading shows Loading...') },
  ],
}

const connect = landing('Connect opens the registration page, and a visitor who comes back sees Connect again')
const flip = landing('the first click flips Connect to a shortened placeholder and opens the registration page')
const menu = landing('on a phone a toggle opens a nav with Home, Games, Tournaments and Marketplace')
const floating = landing('on a phone the floating menu lists its sections, Sign Up and Login')
const illustration = landing('a pulsing placeholder is shown until the illustration has loaded')

export const landingPage: Part = {
  section: 2,
  title: 'Landing page',
  items: [
    { says: 'The header has the logo, the name and a wallet-style button.', checkedBy: connect },
    { says: "The button reads 'Connect' when not connected.", checkedBy: connect },
    {
      says: 'Its first click goes to /login/register.',
      checkedBy: flip,
      decided: "A visitor who comes back without having signed in sees 'Connect' again.",
    },
    { says: 'The first click flips it to connected, with a shortened address placeholder.', checkedBy: flip },
    {
      says: 'Later clicks toggle a banner flag.',
      checkedBy: landing('a signed-in user sees their shortened address, and later clicks toggle a banner'),
    },
    { says: 'A mobile menu toggle opens a nav with Home, Games, Tournaments, Marketplace.', checkedBy: menu },
    {
      says: 'These links go nowhere.',
      checkedBy: [
        ...menu,
        ...landing('for a signed-in user Games, Tournaments and Marketplace lead to games, leaderboards and plans'),
      ],
      decided: 'They lead to the games, the leaderboards and the plans. A dead link would look broken.',
    },
    {
      says: "'Start Playing' goes to /user/home.",
      checkedBy: landing('Start Playing takes a signed-in user to /user/home'),
    },
    {
      says: "A 'Track' button has no action.",
      checkedBy: landing('Track scrolls to the features'),
      decided: 'It scrolls to the features. A dead button would look broken.',
    },
    { says: 'A floating mobile menu lists Home, Features, Challenges, Progress.', checkedBy: floating },
    {
      says: 'It has Sign Up and Login buttons without an action.',
      checkedBy: floating,
      decided: 'Both open the registration page. Dead buttons would look broken.',
    },
    { says: 'An illustration loads lazily.', checkedBy: illustration },
    { says: 'Until then there is a pulsing placeholder.', checkedBy: illustration },
    {
      says: 'Decorative icons float: 8 by default, 15 when the window is wider than 768 px.',
      checkedBy: landing('px wide has'),
    },
  ],
}
