import { calls, everyPath, type Item, type Part, pages, testsIn } from './item.ts'

/** A row of the table is tested under its own name. */
const row = (name: string, purpose?: string): Item => ({
  says: purpose ? `${name}: ${purpose}` : name,
  checkedBy: calls(name),
})
const purchase = 'POST /gamebuyplan/ {usdt_amount, from_address, to_address, trans_hash, package_type}'
const chain = pages('balances on chain come from balanceOf: USDT in four characters, JW scaled by 1e10, and JWC')
const failed = pages('a balance that cannot be read is logged and unknown, not zero')
const market = pages(
  'the market price service answers update_market_price/ at its own address with Current_Jw_MKT_Price',
)

export const table: Part = {
  section: 7,
  title: 'The calls it makes',
  items: [
    { says: 'All calls go to the API base with JSON content.', checkedBy: everyPath },
    { says: 'All calls have the Token header unless noted.', checkedBy: everyPath },
    row('POST /game/start/ {token}', 'starts a game'),
    row('POST /game/{id}/shoot/ {score}', 'submits a score'),
    row('POST /game/{id}/end/ none', 'ends a game'),
    row(purchase),
    { says: "The purchase replies with status, 'success' expected, and Msg.", checkedBy: calls(purchase) },
    row('POST /planhistory/ {pageno}', 'data is a list'),
    row('POST /gameupline_referral/ {purchase_amount}'),
    {
      says: 'POST /detail/ empty: plan details',
      checkedBy: calls('POST /detail/ empty', 'a call with an empty payload works with an empty object too'),
    },
    row('POST /process_rewards/ {user_id}', 'claims rewards'),
    row('POST /Referral_history/ {page_no}'),
    row('POST /business_performance/ {page_no}'),
    row('POST /referral_details/ {page_no}'),
    row('POST /Direct_referral_list/ {page_no}'),
    row('POST /withdraw_request/ not shown'),
    row('POST /withdraw_history/ {page_no}'),
    row('POST /roiearning_history/ empty'),
    row('POST /healthroi/ {withdraw_amount}'),
    row('POST /betwallet/ not shown'),
    row('GET /betwallet_history/ none', 'the field data is read'),
    row('GET /active-game/ none'),
    row('GET /games/ none'),
    row('POST /place-bet/ {amount, color}'),
    row('POST /colorupline_referral/ {amount}'),
    row('GET /bet_history/ none', 'the field history is read'),
    row('POST /direct_referral_tree/ {user_name}'),
    row('POST /release_royalty/ {force_check: true}'),
    row('POST /BNBStaus_update/ empty'),
    { says: 'POST update_market_price/ is on a separate market price service.', checkedBy: market },
    { says: 'Its field Current_Jw_MKT_Price is the live rate of the JW token.', checkedBy: market },
    { says: "The USDT balance of the user's wallet is read with ERC-20 balanceOf.", checkedBy: chain },
    {
      says: 'It is shown truncated to 4 characters.',
      checkedBy: [
        ...chain,
        ...testsIn('src/web/wallet/chain-amount.test.ts')('are shown in four characters, and never as more'),
      ],
      decided: "Cutting 15,000 to '1500' would show a tenth, so it is '15K'. The exact amount is below it.",
    },
    { says: 'The balance of a JW token is read, scaled by 1e10.', checkedBy: chain },
    { says: 'The balance of a JWC token is read.', checkedBy: chain },
    { says: 'Failed reads are logged.', checkedBy: failed },
    { says: 'Failed reads return null.', checkedBy: failed, decided: "The page then shows 'unknown', never zero." },
  ],
}
