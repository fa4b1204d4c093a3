import {
  calls,
  fields,
  figures,
  header,
  history,
  landing,
  notices,
  type Part,
  pages,
  sidebar,
  testsIn,
  topUp,
} from './item.ts'

const rows = history('the page shows its title, its columns and five rows per page')
const daily = fields('package type 5 is a daily re top up, and 7 its fee on a plan above 20 USDT')
const referral = fields('package type 6 is a referral re top up, and 8 its fee on a plan above 20 USDT')
const flow = topUp('a top-up from')
const width = sidebar('on a desktop the sidebar is 260 px wide, or 80 px when collapsed')
const statistics = landing('a visitor sees the tagline, the badge, the statistics and a footer with the current year')
const times = notices('a success is shown for 2 s, an error and a neutral notice for 4 s, and loading has no limit')
const seconds = [...times, ...pages('a success is shown for 2 s and an error for 4 s')]
const place = header('a notification appears at the top centre, at most 350 px wide, and disappears after two seconds')

export const constants: Part = {
  section: 9,
  title: 'Business constants and limits',
  items: [
    { says: 'The history has 5 rows per client-side page.', checkedBy: rows },
    {
      says: 'Pagination defaults to page 1.',
      checkedBy: [...rows, ...calls('POST /planhistory/ {pageno}', 'POST /withdraw_history/ {page_no}')],
    },
    {
      says: 'When planamount is above 20, 10% of a re top up is split into a separate purchase.',
      checkedBy: [...daily, ...referral, ...flow],
    },
    { says: 'The first purchase carries 90%, the second 10%.', checkedBy: [...daily, ...referral, ...flow] },
    { says: 'package_type of the main purchase is 5 for the daily source.', checkedBy: [...daily, ...flow] },
    { says: 'package_type of the main purchase is 6 for the referral source.', checkedBy: [...referral, ...flow] },
    { says: 'package_type of the fee purchase is 7 for the daily source.', checkedBy: [...daily, ...flow] },
    { says: 'package_type of the fee purchase is 8 for the referral source.', checkedBy: [...referral, ...flow] },
    {
      says: "trans_hash of an internal transfer is a generated string: 'internal' and random characters.",
      checkedBy: [
        ...flow,
        ...testsIn('src/protocol/top-up.test.ts')(
          "an internal hash starts with 'internal' and differs with its random bytes",
        ),
      ],
    },
    {
      says: 'The header hides at 100 px of scroll.',
      checkedBy: header('the header hides when scrolling down past 100 px and returns when scrolling up'),
    },
    { says: 'The expanded sidebar is 260 px wide.', checkedBy: width },
    { says: 'The collapsed sidebar is 80 px wide.', checkedBy: width },
    {
      says: 'The mobile breakpoint is 768 px.',
      checkedBy: sidebar(
        'at 768 px the sidebar is a drawer over a dimmed page, and a click on the backdrop closes it',
        'at 769 px the sidebar is next to the page',
      ),
    },
    {
      says: 'The logout redirect delay is 100 ms.',
      checkedBy: sidebar('Log Out clears all local storage and replaces the location after 100 ms'),
    },
    {
      says: 'The wellness score bar is 65 percent.',
      checkedBy: sidebar('the Wellness Score bar is filled to 65 percent of its width until the score is known'),
      decided: 'Everybody starts there. From the first logged activity on, it follows the rings of the week.',
    },
    { says: 'There are 8 floating icons on narrow windows, 15 above 768 px.', checkedBy: landing('px wide has') },
    {
      says: 'The landing statistics are 50K+, 1M+, 500+.',
      checkedBy: statistics,
      decided: 'Shown under the caption "Season goals", with what has really been reached beside them.',
    },
    {
      says: 'Balances are shown with 2 decimals.',
      checkedBy: [
        ...figures('the balance chip adds'),
        ...topUp('the page shows the title, wallet, balances, sources and form'),
      ],
    },
    {
      says: 'The network is BSC and the payment token USDT.',
      checkedBy: fields('on the main network the chain is BSC and USDT has the 18 decimals it has there'),
      decided: 'Without settings the product runs on a chain of its own with test money, and every page says so.',
    },
    {
      says: 'At most 20 notifications are shown at once.',
      checkedBy: notices('at most 20 notices are shown at once, newest first'),
    },
    { says: 'A success is shown for 2 s.', checkedBy: seconds },
    { says: 'An error is shown for 4 s.', checkedBy: seconds },
    { says: 'A neutral notification is shown for 4 s.', checkedBy: times },
    { says: 'A loading notification has no limit.', checkedBy: times },
    { says: 'A notification is at most 350 px wide.', checkedBy: place },
    { says: 'Its default position is top-center.', checkedBy: place },
  ],
}
