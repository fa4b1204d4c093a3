import { calls, fields, type Item, type Part, pages, signIn } from './item.ts'

const entry = [...fields('signing in replies with the stored user entry'), ...signIn('invitation → landing')]
const stored = (name: string): Item => ({ says: `The stored user has ${name}.`, checkedBy: entry })
const begin = 'the details begin with the fields of the specification, in its order'
const detail = (name: string, meaning: string, test: string): Item => ({
  says: `The plan details have ${name}, ${meaning}.`,
  checkedBy: fields(begin, test),
})
const balances =
  'planreward, planreff and planamount are the daily rewards, the referral rewards and the invested amount'
const limits = 'max_amount is the cap on plans and minimumamount the smallest re top up'
const addresses = 'wallet_address is the wallet of the user and support the address that receives payments'
const withdrawable = 'TWA is everything that can be withdrawn, and BWA at most what may leave today'
const row = fields('a row of the plan history begins with Plan_name, Plan_Amount and start_date')
const purchase = calls('POST /gamebuyplan/ {usdt_amount, from_address, to_address, trans_hash, package_type}')
const payload = (name: string): Item => ({ says: `A plan purchase is sent with ${name}.`, checkedBy: purchase })
const bet = calls('POST /place-bet/ {amount, color}')
const game = fields('a game has a gameId and a score: it is started, gets a shot with a score, and ends')

export const entities: Part = {
  section: 3,
  title: 'Entities and their fields',
  items: [
    { says: 'The user is stored in local storage under the key user.', checkedBy: entry },
    stored('token'),
    stored('id'),
    stored('wallet_address'),
    stored('username'),
    stored('level'),
    {
      says: 'A score is also kept in local storage.',
      checkedBy: pages('starting a game sends the token in the body, and its score is kept in local storage'),
    },
    detail('planreward', 'the daily reward balance', balances),
    detail('planreff', 'the referral reward balance', balances),
    detail('planamount', 'the current invested amount', balances),
    detail('max_amount', 'the investment cap', limits),
    detail('minimumamount', 'the smallest amount', limits),
    detail('withdrawfee', 'the fee of a withdrawal', 'withdrawfee is the percentage that a withdrawal costs'),
    detail('wallet_address', "the user's wallet", addresses),
    detail('support', 'the receiving address', addresses),
    detail('TWA', 'the total withdrawable amount', withdrawable),
    detail('BWA', 'what is available today', withdrawable),
    { says: 'A row of the plan history has Plan_name.', checkedBy: row },
    { says: 'A row of the plan history has Plan_Amount.', checkedBy: row },
    { says: 'A row of the plan history has start_date.', checkedBy: row },
    { says: 'The rows are in the field data.', checkedBy: [...row, ...calls('POST /planhistory/ {pageno}')] },
    payload('usdt_amount'),
    payload('from_address'),
    payload('to_address'),
    payload('trans_hash'),
    payload('package_type'),
    { says: 'A game has a gameId.', checkedBy: game },
    { says: 'A game has a score.', checkedBy: game },
    { says: 'A bet has an amount.', checkedBy: bet },
    { says: 'A bet has a color.', checkedBy: bet },
    {
      says: 'The referral tree is asked for with user_name.',
      checkedBy: calls('POST /direct_referral_tree/ {user_name}'),
    },
    {
      says: 'Paged lists use page_no.',
      checkedBy: calls(
        'POST /Referral_history/ {page_no}',
        'POST /business_performance/ {page_no}',
        'POST /referral_details/ {page_no}',
        'POST /Direct_referral_list/ {page_no}',
        'POST /withdraw_history/ {page_no}',
      ),
    },
    { says: 'The plan history uses pageno.', checkedBy: calls('POST /planhistory/ {pageno}') },
  ],
}
