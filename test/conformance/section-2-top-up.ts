import { history, type Part, topUp } from './item.ts'

const shown = topUp('the page shows the title, wallet, balances, sources and form')
const copied = topUp('both the shortened address and the button copy the wallet address')
const number = topUp('the amount is a number input whose minimum is minimumamount')
const dialog = topUp('the dialog shows the amount, and Cancel closes it without sending anything')

export const topUpPage: Part = {
  section: 2,
  title: 'Re Top Up page',
  items: [
    {
      says: "The title is 'Re Top Up'.",
      checkedBy: shown,
      decided: 'A short plain label is beside it: "reinvest rewards".',
    },
    { says: "The subtitle is 'Purchase your Plan to your wallet'.", checkedBy: shown },
    { says: "The user's wallet address is shortened to its first 6 and last 4 characters.", checkedBy: shown },
    { says: "Clicking it copies it and shows 'Address copied to clipboard!'.", checkedBy: copied },
    {
      says: 'It shows TWA in USDT.',
      checkedBy: shown,
      decided: 'A short plain label is beside it: "withdrawable".',
    },
    {
      says: 'It shows BWA in USDT.',
      checkedBy: shown,
      decided: 'A short plain label is beside it: "available today".',
    },
    {
      says: 'A selectable card is Daily Rewards, with its balance.',
      checkedBy: [...shown, ...topUp('the cards and the dropdown select the same source')],
    },
    {
      says: 'A selectable card is Referral Rewards, with its balance.',
      checkedBy: [...shown, ...topUp('the cards and the dropdown select the same source')],
    },
    {
      says: 'A dropdown has the source.',
      checkedBy: [...shown, ...topUp('the cards and the dropdown select the same source')],
    },
    {
      says: 'The balance type is only USDT.',
      checkedBy: shown,
      decided: 'It is shown as text, because a dropdown with one option chooses nothing.',
    },
    { says: 'The amount input is numeric, with a minimum hint.', checkedBy: [...shown, ...number] },
    { says: "A 'Max' link fills in the amount.", checkedBy: topUp('fills in the exact largest amount') },
    { says: 'A read-only field has the address, with a copy button.', checkedBy: [...shown, ...copied] },
    { says: "A button says 'Re Top Up'.", checkedBy: shown },
    { says: "It opens the dialog 'Confirm Re Top Up', which shows the amount.", checkedBy: dialog },
    {
      says: 'The dialog has Cancel and Confirm.',
      checkedBy: [
        ...dialog,
        ...topUp('while the purchase is processing, the buttons are disabled and a spinner is shown'),
      ],
    },
    { says: 'A link goes to History (/user/re-top-up-history).', checkedBy: shown },
  ],
}

const rows = history('the page shows its title, its columns and five rows per page')

export const historyPage: Part = {
  section: 2,
  title: 'Re Top Up history page',
  items: [
    {
      says: "The title is 'Re-Rop-Up History'.",
      checkedBy: rows,
      decided: 'A short plain label is beside it: "top-up history".',
    },
    { says: "The subtitle is 'Track all your Re-Top-Up status'.", checkedBy: rows },
    { says: 'The columns are #, Amount, Type, Date.', checkedBy: rows },
    {
      says: "The empty message is 'No internal transfer history available'.",
      checkedBy: history('an empty history shows a message'),
    },
    { says: 'A client-side pager shows 5 rows per page.', checkedBy: rows },
    { says: "It has Previous and Next buttons and 'Page N'.", checkedBy: rows },
    { says: 'Previous is disabled on page 1.', checkedBy: rows },
    { says: 'Next is disabled on the last page.', checkedBy: rows },
  ],
}
