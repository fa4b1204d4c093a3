import { everyPath, fields, history, type Item, type Part, pages, shell, signIn, testsIn, topUp } from './item.ts'

const server = testsIn('src/server/features/plans/top-up.test.ts')
const enforced = server('the server checks the whole amount and refuses with the texts of the spec')
const rule = (number: number, condition: string, text: string, ...names: [string, ...string[]]): Item => ({
  says: `Rule ${number}, ${condition}: '${text}'.`,
  checkedBy: [...topUp(...names), ...enforced],
})

export const validation: Part = {
  section: 5,
  title: 'Validation rules',
  items: [
    {
      says: "Rule 1, empty amount: 'Please enter an amount'.",
      checkedBy: [
        ...topUp('submitting an empty amount with the keyboard shows an error'),
        ...server('an empty amount is refused first, with the text of the spec'),
      ],
    },
    rule(
      2,
      'amount above TWA or BWA',
      'You cannot withdraw more than your total available balance.',
      'more than TWA',
      'more than BWA',
    ),
    rule(
      3,
      'amount above max_amount minus planamount, which is {N}',
      'Maximum investment You can {N} USDT',
      'more than the cap allows',
    ),
    rule(
      4,
      'daily source and amount above planreward',
      'Insufficient balance in Daily Rewards wallet',
      'more than the daily rewards',
    ),
    rule(
      5,
      'referral source and amount above planreff',
      'Insufficient balance in Referral Rewards wallet',
      'more than the referral rewards',
    ),
    rule(6, 'amount below minimumamount', 'Minimum  amount is {minimumamount} USDT', 'less than the minimum'),
    {
      says: 'The rules are checked in this order.',
      checkedBy: [
        ...topUp(
          'an amount that breaks every rule, with the first message',
          'an amount above both cap and source, with the message for the cap',
          'an amount above the source and below the minimum, with the message for the source',
        ),
        ...testsIn('src/protocol/top-up.test.ts')('if several rules are broken, the first one is reported'),
      ],
    },
    {
      says: 'The amount input is numeric with minimum equal to minimumamount.',
      checkedBy: topUp('the amount is a number input whose minimum is minimumamount'),
    },
    {
      says: 'The button is disabled while processing.',
      checkedBy: topUp('while the purchase is processing, the buttons are disabled and a spinner is shown'),
    },
    {
      says: 'The button is disabled when the amount is empty.',
      checkedBy: topUp('submitting an empty amount with the keyboard shows an error'),
    },
    {
      says: "The history removes rows whose plan name contains 'JWC', 'JW' or 'USDT'.",
      checkedBy: history('rows whose plan name contains JWC, JW or USDT are hidden'),
    },
  ],
}

export const roles: Part = {
  section: 6,
  title: 'Roles and permissions',
  items: [
    {
      says: 'There is one kind of signed-in user and no role distinction.',
      checkedBy: [...fields('signing in replies with the stored user entry'), ...signIn('invitation → landing')],
    },
    {
      says: 'Everything under /user requires a stored user entry, else it redirects to /login/register.',
      checkedBy: shell('without a stored user everything under /user redirects to the registration page'),
    },
    { says: "Own calls send the user's token in a Token header.", checkedBy: everyPath },
    {
      says: 'The game start call sends it in the body.',
      checkedBy: pages('starting a game sends the token in the body, and its score is kept in local storage'),
    },
  ],
}
