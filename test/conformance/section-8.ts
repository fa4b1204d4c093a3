import { figures, history, type Part, pages, testsIn, topUp, words } from './item.ts'

const list = pages('a list that fails says why in a notice, and shows the message of the server or a default')

export const errors: Part = {
  section: 8,
  title: 'Error catalogue',
  items: [
    {
      says: "Most calls fail with 'Failed to <action>: {server message or error message}'.",
      checkedBy: words('says what failed, and why'),
    },
    {
      says: "A list shows a notice 'Backend error: {server message or Unknown error occurred}'.",
      checkedBy: [...list, ...words('is a list: its failure is also a notification, with the message of the server')],
    },
    {
      says: "A list fails with the server message or a default such as 'Failed to fetch referral history. Please try again.'",
      checkedBy: list,
    },
    {
      says: "Plan history page: 'Error fetching plan history'.",
      checkedBy: history('a failed history request shows an error'),
    },
    {
      says: "Details page: 'Error fetching details'.",
      checkedBy: topUp('a failed details request shows an error and can be retried'),
    },
    {
      says: "Re Top Up failure: 'Error processing withdrawal request'.",
      checkedBy: topUp('an error if the server is unavailable'),
    },
    {
      says: "Purchase not successful: the returned message or 'Payment processing failed'.",
      checkedBy: topUp('the message from the server', 'a default message if the server sends none'),
    },
    {
      says: "Reward claim failure: 'An error occurred while claiming the reward.'",
      checkedBy: figures('a failed claim shows an error'),
    },
    {
      says: "Betting wallet HTTP 400: 'Transaction already recorded'.",
      checkedBy: [
        ...words('betting wallet: a refusal without a reason, or for a hash that was used'),
        ...testsIn('src/server/features/colour/wallet.test.ts')(
          'returns the first reply for a repeated hash, and the specified error for another body',
        ),
      ],
      decided: 'Another refusal says its own reason, such as a balance that is too small.',
    },
    {
      says: 'Balance-fetch failures are logged and return null.',
      checkedBy: pages('a balance that cannot be read is logged and unknown, not zero'),
    },
  ],
}
