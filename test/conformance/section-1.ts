import { calls, everyPath, fields, landing, type Part, signIn, testsIn } from './item.ts'

const rewards = testsIn('src/server/features/rewards/rewards.test.ts')
const topUps = testsIn('src/server/features/plans/top-up.test.ts')
const bets = testsIn('src/server/features/colour/bets.test.ts')

const seen = landing('a visitor sees the tagline, the badge, the statistics and a footer with the current year')
const cards = landing('four cards describe activity, nutrition, challenges and mindfulness')
const goals = 'Shown under the caption "Season goals", with what has really been reached beside it.'

export const product: Part = {
  section: 1,
  title: 'What the product does',
  items: [
    { says: 'An anonymous visitor sees a landing page.', checkedBy: seen },
    { says: "Its tagline is 'Play. Move. Feel Better.'", checkedBy: seen },
    { says: "A badge says 'New Season'.", checkedBy: seen },
    { says: 'The footer has the current year.', checkedBy: seen },
    { says: "The footer says 'Wellness through play.'", checkedBy: seen },
    { says: 'A statistic says 50K+ players.', checkedBy: seen, decided: goals },
    { says: 'A statistic says 1M+ workouts.', checkedBy: seen, decided: goals },
    { says: 'A statistic says 500+ challenges.', checkedBy: seen, decided: goals },
    { says: 'A card is about Activity: points for steps and workouts.', checkedBy: cards },
    { says: 'A card is about Nutrition: rewards for healthy choices.', checkedBy: cards },
    { says: 'A card is about Challenges: compete with friends.', checkedBy: cards },
    { says: 'A card is about Mindfulness: meditation exercises.', checkedBy: cards },
    {
      says: 'There is a single kind of signed-in user.',
      checkedBy: [...fields('signing in replies with the stored user entry'), ...signIn('invitation → landing')],
    },
    {
      says: 'Users hold a USDT plan on the BSC network.',
      checkedBy: fields('on the main network the chain is BSC and USDT has the 18 decimals it has there'),
      decided: 'Without settings the product runs on a chain of its own with test money, and every page says so.',
    },
    {
      says: 'They receive daily rewards.',
      checkedBy: rewards('a lot earns its rate for every day after the day it started, and 5% more for health'),
    },
    {
      says: 'They receive referral rewards.',
      checkedBy: topUps('five levels earn 5, 3, 2, 1 and 1 percent; level six and users without a plan earn nothing'),
    },
    {
      says: 'They buy plans.',
      checkedBy: calls('POST /gamebuyplan/ {usdt_amount, from_address, to_address, trans_hash, package_type}'),
    },
    {
      says: 'They re-top-up from reward balances.',
      checkedBy: fields(
        'package type 5 is a daily re top up, and 7 its fee on a plan above 20 USDT',
        'package type 6 is a referral re top up, and 8 its fee on a plan above 20 USDT',
      ),
    },
    { says: 'They withdraw.', checkedBy: calls('POST /withdraw_request/ not shown') },
    {
      says: 'They make internal transfers.',
      checkedBy: testsIn('src/server/features/transfers/transfers.test.ts')(
        'a transfer arrives immediately, appears in both histories and publishes a balance event',
      ),
    },
    { says: 'They view history.', checkedBy: [...everyPath, ...calls('POST /planhistory/ {pageno}')] },
    {
      says: 'They play a shooting/quiz game.',
      checkedBy: fields('a game has a gameId and a score: it is started, gets a shot with a score, and ends'),
    },
    {
      says: 'They play a colour betting game.',
      checkedBy: bets('appears in the active game, then in the history with its result'),
    },
    {
      says: 'They manage a referral network.',
      checkedBy: [...everyPath, ...calls('POST /direct_referral_tree/ {user_name}')],
    },
    { says: 'The user area also offers a wallet.', checkedBy: everyPath },
    { says: 'The user area also offers daily challenges.', checkedBy: everyPath },
    { says: 'The user area also offers health support.', checkedBy: everyPath },
  ],
}
