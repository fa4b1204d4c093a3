import { figures, header, type Item, type Part, shell, sidebar } from './item.ts'

const scroll = header('the header hides when scrolling down past 100 px and returns when scrolling up')
const links = header(
  'the logo and name link to the landing page, and shortcuts link to dashboard, rewards and activity',
)
const chip = figures('the balance chip adds')
const openChip = header('the balance chip says that it shows rewards, and opens /user/balance')
const refresh = header('the refresh button reloads the page, then shows Page refreshed !')
const profile = header(
  'the profile menu shows the username and level, links to the profile and closes when the mouse leaves',
)
const signOut = header('Sign out clears local storage, revokes the token and goes to the landing page')
const width = sidebar('on a desktop the sidebar is 260 px wide, or 80 px when collapsed')

export const userHeader: Part = {
  section: 2,
  title: 'Header',
  items: [
    { says: 'The header is fixed.', checkedBy: scroll },
    { says: 'It hides when scrolling down past 100 px.', checkedBy: scroll },
    { says: 'It returns on scrolling up.', checkedBy: scroll },
    { says: 'It has a sidebar toggle.', checkedBy: width },
    { says: 'Logo and name link to /.', checkedBy: links },
    {
      says: 'Shortcuts go to /dashboard, /rewards and /activity.',
      checkedBy: [...links, ...shell('redirects to')],
      decided: 'These paths redirect to /user/home, /user/balance and /user/games2.',
    },
    {
      says: 'The balance chip is the sum of the plan referral and plan reward amounts in USDT.',
      checkedBy: [...chip, ...openChip],
      decided: 'Its tooltip and its name for screen readers say that it shows rewards.',
    },
    { says: 'The balance chip is floored at 0.', checkedBy: chip },
    { says: 'The balance chip has 2 decimals.', checkedBy: chip },
    { says: 'A click on the chip opens /user/balance.', checkedBy: openChip },
    { says: 'The refresh button reloads the page.', checkedBy: refresh },
    { says: "After that it shows 'Page refreshed !'.", checkedBy: refresh },
    {
      says: "The profile menu shows the username, or 'Guest'.",
      checkedBy: [...profile, ...shell('an old stored user with only a token still opens the user area, as a guest')],
    },
    { says: 'The profile menu shows the level.', checkedBy: profile },
    { says: "'My Profile' links to /user/profile.", checkedBy: profile },
    {
      says: "'Sign out' clears local storage and goes to /.",
      checkedBy: signOut,
      decided: 'It also ends the token on the server.',
    },
    { says: 'The menu closes when the mouse leaves it.', checkedBy: profile },
    {
      says: 'On load, the header claims the daily reward.',
      checkedBy: figures('the header claims the daily reward on load and shows what was paid'),
    },
    {
      says: 'The sidebar appears only on paths starting with /user.',
      checkedBy: header('the header and sidebar appear only under /user'),
    },
  ],
}

const entries = sidebar(
  'the items appear in order with their links, and the last one is Log Out',
  'the items are shown in the spelling of the specification',
)
const entry = (name: string, path: string): Item => ({ says: `An item is ${name} (${path}).`, checkedBy: entries })
const drawer = sidebar('at 768 px the sidebar is a drawer over a dimmed page, and a click on the backdrop closes it')
const remembered = sidebar('the initial active item is games; the last chosen item is remembered and restored')
const ends = sidebar('the brand links to the landing page and the avatar to the profile')

export const userSidebar: Part = {
  section: 2,
  title: 'Sidebar',
  items: [
    entry('Home', '/user/home'),
    entry("Daily Challenges with a 'New' badge", '/user/games2'),
    entry('referral', '/user/referal'),
    entry('plans', '/user/plans'),
    { ...entry('Re Top Up', '/user/re-top-up'), decided: 'A short plain label is beside it: "reinvest rewards".' },
    entry('withdrawal', '/user/withdrawal'),
    entry('internal Transfer', '/user/internal-transfer'),
    entry('Wallet', '/user/wallet'),
    entry('Health Support', '/user/healthsupport'),
    {
      says: 'The last item is Log Out, an action.',
      checkedBy: [...entries, ...sidebar('Log Out clears all local storage and replaces the location after 100 ms')],
    },
    { says: 'The avatar at the bottom opens /user/profile.', checkedBy: ends },
    { says: 'The brand logo links to /.', checkedBy: ends },
    { says: 'On a desktop it is collapsible between 260 px and 80 px.', checkedBy: width },
    {
      says: 'At 768 px or narrower it is a slide-in drawer.',
      checkedBy: [...drawer, ...sidebar('at 769 px the sidebar is next to the page')],
    },
    { says: 'The drawer has a dimmed backdrop.', checkedBy: drawer },
    { says: 'Clicking the backdrop closes it.', checkedBy: drawer },
    {
      says: 'Choosing an item closes it.',
      checkedBy: sidebar('choosing an item or pressing Escape closes the drawer'),
    },
    { says: 'The last chosen item is remembered in local storage under activeMenu.', checkedBy: remembered },
    {
      says: 'The remembered item is restored on load.',
      checkedBy: remembered,
      decided: 'A page with an item of its own highlights that one.',
    },
    { says: 'The initial value is games.', checkedBy: remembered },
    {
      says: "The footer has a 'Wellness Score' bar of 65 percent width.",
      checkedBy: sidebar('the Wellness Score bar is filled to 65 percent of its width until the score is known'),
      decided: 'Everybody starts at 65 percent. From the first logged activity on, it follows the rings of the week.',
    },
  ],
}
