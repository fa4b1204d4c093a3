import { fields, header, landing, type Part, shell, sidebar, testsIn, topUp } from './item.ts'

const guard = shell('without a stored user everything under /user redirects to the registration page')
const logOut = sidebar('Log Out clears all local storage and replaces the location after 100 ms')
const dialog = topUp('the dialog shows the amount, and Cancel closes it without sending anything')
const processing = topUp('while the purchase is processing, the buttons are disabled and a spinner is shown')
const flow = topUp('a top-up from')
const bets = testsIn('src/server/features/colour/bets.test.ts')(
  'appears in the active game, then in the history with its result',
)

export const states: Part = {
  section: 4,
  title: 'States and transitions',
  items: [
    {
      says: 'The mobile menu of the landing page is open or closed.',
      checkedBy: landing('on a phone a toggle opens a nav with Home, Games, Tournaments and Marketplace'),
    },
    {
      says: 'The banner flag is on or off.',
      checkedBy: landing('a signed-in user sees their shortened address, and later clicks toggle a banner'),
    },
    {
      says: 'The connected flag turns true after the first click on the button.',
      checkedBy: landing('the first click flips Connect to a shortened placeholder and opens the registration page'),
    },
    {
      says: 'Protected content renders only if a user entry exists in local storage.',
      checkedBy: [...guard, ...shell('counts as signed out and breaks nothing')],
    },
    { says: 'Otherwise the visitor is redirected to /login/register.', checkedBy: guard },
    {
      says: 'The sidebar is open or closed.',
      checkedBy: sidebar('at 768 px the sidebar is a drawer over a dimmed page, and a click on the backdrop closes it'),
    },
    {
      says: 'The sidebar is collapsed or expanded.',
      checkedBy: sidebar('on a desktop the sidebar is 260 px wide, or 80 px when collapsed'),
    },
    {
      says: 'The sidebar has an active item.',
      checkedBy: sidebar('the initial active item is games; the last chosen item is remembered and restored'),
    },
    { says: 'Log Out clears all local storage.', checkedBy: logOut, decided: 'It also ends the token on the server.' },
    { says: 'After 100 ms it replaces the location with /.', checkedBy: logOut },
    {
      says: 'The header is visible or hidden by scroll direction.',
      checkedBy: header('the header hides when scrolling down past 100 px and returns when scrolling up'),
    },
    {
      says: 'The profile menu is open or closed.',
      checkedBy: header(
        'the profile menu shows the username and level, links to the profile and closes when the mouse leaves',
      ),
    },
    { says: 'Re Top Up 1: the user picks a source and enters an amount.', checkedBy: flow },
    {
      says: 'Re Top Up 2: pressing the button runs the validation rules.',
      checkedBy: topUp('an amount that breaks every rule, with the first message'),
    },
    { says: 'Re Top Up 3: if they pass, the confirm dialog opens.', checkedBy: dialog },
    { says: 'Re Top Up 4: Confirm disables the buttons.', checkedBy: processing },
    { says: 'Re Top Up 4: Confirm shows a spinner.', checkedBy: processing },
    { says: 'Re Top Up 5: the first plan purchase call is made.', checkedBy: flow },
    {
      says: "Re Top Up 5: without success the returned message or 'Payment processing failed' is shown.",
      checkedBy: topUp('the message from the server', 'a default message if the server sends none'),
    },
    {
      says: 'Re Top Up 5: without success the flow stops.',
      checkedBy: topUp('a failed purchase stops the flow and shows'),
    },
    { says: 'Re Top Up 6: on success the upline referral call is made with the full amount.', checkedBy: flow },
    {
      says: 'Re Top Up 7: if the plan amount is above 20, a second purchase call is made for the fee.',
      checkedBy: flow,
    },
    { says: 'Re Top Up 8: the details are reloaded.', checkedBy: flow },
    { says: "Re Top Up 8: 'Plan purchased successfully! 🎉' is shown.", checkedBy: flow },
    { says: 'Re Top Up 9: the dialog closes, processing ends and the amount is cleared.', checkedBy: flow },
    {
      says: 'A game is started, shots are submitted with a score, then it ends.',
      checkedBy: fields('a game has a gameId and a score: it is started, gets a shot with a score, and ends'),
    },
    { says: 'A colour game has an active game, bets and history.', checkedBy: bets },
  ],
}
