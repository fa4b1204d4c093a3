import type { CallKey } from '../../../protocol/routes.ts'
import { errorTexts } from '../../../protocol/texts.ts'

/** Why a call failed: the server's message, or nothing if there was no reply or the reply had no message. */
export type Reason = { fromServer: string | undefined; isAnswered: boolean; status: number | undefined }

export type Words = {
  /** What the page shows. */
  message: string
  /** A second line where there is room for it: the reason, if `message` does not include it. */
  detail?: string | undefined
  /** Shown as a notification in addition. */
  notice?: string
}

type Say = (reason: Reason) => Words

/** The server's message, or what we know without one. */
const textOf = ({ fromServer, isAnswered }: Reason): string =>
  fromServer ?? (isAnswered ? errorTexts.unknown : errorTexts.noAnswer)
const detailOf = (reason: Reason): string | undefined =>
  reason.fromServer ?? (reason.isAnswered ? undefined : errorTexts.noAnswer)

const failedTo =
  (action: string): Say =>
  (reason) => ({ message: errorTexts.failedTo(action, textOf(reason)) })

const titled =
  (message: string): Say =>
  (reason) => ({ message, detail: detailOf(reason) })

/** A list: a notification as well, with the server's message only. */
const titledList =
  (message: string): Say =>
  (reason) => ({ message, detail: detailOf(reason), notice: errorTexts.backend(reason.fromServer) })
const list = (what: string): Say => titledList(errorTexts.failedToFetch(what))

/** Only the server's message; without one the text of the specification, and the reason if there was no reply. */
const plain =
  (message: string): Say =>
  ({ fromServer, isAnswered }) => ({
    message: fromServer ?? (isAnswered ? message : `${message}. ${errorTexts.noAnswer}`),
  })

/** A refusal (400) without a message is the specification's. Our server always says why it refuses. */
const betWallet: Say = (reason) =>
  reason.status === 400 && (reason.fromServer ?? errorTexts.betWallet) === errorTexts.betWallet
    ? { message: errorTexts.betWallet }
    : failedTo('move bet wallet funds')(reason)

/**
 * THE table of what the app says when a call fails, by call. The compiler refuses a call that is not listed. The texts
 * are those of section 8 of the specification; 'Failed to …' and 'Failed to fetch …' are completed here.
 */
const callWords: Record<CallKey, Say> = {
  'POST /auth/nonce/': failedTo('start the sign-in'),
  'POST /auth/register/': failedTo('register'),
  'POST /auth/login/': failedTo('sign in'),
  'POST /auth/logout/': failedTo('sign out'),
  'GET /auth/sponsor/{referral_code}/': failedTo('find the referral code'),
  'POST /declaration/': failedTo('read what you declared'),
  'POST /declare/': failedTo('store your declaration'),
  'POST /auth/me/': failedTo('fetch profile'),
  'POST /records/': failedTo('export your data'),
  'POST /account_deletion/': failedTo('find out what a deletion means'),
  'POST /account_delete/': failedTo('delete your account'),
  'POST /auth/sessions/': list('signed-in devices'),
  'POST /auth/avatar/': failedTo('save your avatar'),
  'POST /auth/logout_everywhere/': failedTo('sign out everywhere'),
  'POST /wallet_change/': failedTo('read the change of your wallet'),
  'POST /wallet_change/request/': failedTo('change your wallet'),
  'POST /wallet_change/cancel/': failedTo('stop the change of your wallet'),

  'POST /referral_summary/': failedTo('fetch team summary'),
  'POST /direct_referral_tree/': failedTo('fetch referral tree'),
  'POST /Direct_referral_list/': list('direct referral list'),
  'POST /referral_details/': list('referral details'),
  'POST /business_performance/': list('business performance'),
  'POST /referral_search/': failedTo('search your team'),
  'POST /referral_holds/': list('rewards on hold'),
  'POST /referral_privacy/': failedTo('save your privacy setting'),

  'GET /terms/': failedTo('fetch terms'),
  'GET /plans/': failedTo('fetch plans'),
  'POST /gamebuyplan/': plain(errorTexts.purchase),
  'POST /gameupline_referral/': failedTo('pay upline rewards'),
  'POST /planhistory/': titledList(errorTexts.planHistory),

  'POST /process_rewards/': () => ({ message: errorTexts.rewardClaim }),
  'POST /roiearning_history/': list('daily reward history'),
  'POST /roiearning_history_csv/': failedTo('export your daily rewards'),
  'POST /Referral_history/': list('referral history'),
  'POST /release_royalty/': failedTo('release royalty'),
  'POST /royalty_summary/': failedTo('fetch your royalty'),

  'POST /detail/': titled(errorTexts.details),
  'POST /statement/': list('account statement'),
  'POST /statement_csv/': failedTo('export the statement'),
  'POST /timeline/': failedTo('fetch balance chart'),

  'POST /withdraw_request/': failedTo('request withdrawal'),
  'POST /withdraw_history/': list('withdrawal history'),
  'POST /withdraw_history_csv/': failedTo('export your withdrawals'),
  'POST /withdraw_terms/': titled(errorTexts.details),

  'POST /internal_transfer/': failedTo('send transfer'),
  'POST /internal_transfer_history/': list('internal transfer history'),
  'POST /internal_transfer_history_csv/': failedTo('export your transfers'),
  'POST /internal_transfer_recipient/': failedTo('find the recipient'),

  'GET /chain/': failedTo('fetch network'),
  'POST /rpc/': failedTo('read the chain'),
  'POST /dev/faucet/': failedTo('get test money'),
  'POST /BNBStaus_update/': failedTo('fetch BNB status'),
  'POST /wallet_deposit/': failedTo('report deposit'),
  'POST /wallet_deposits/': list('deposits'),
  'GET /deposit-address/': failedTo('fetch your deposit address'),
  'GET /market/': failedTo('fetch JW price'),

  'POST /wellness/today/': failedTo('fetch today’s challenges'),
  'GET /wellness/community/': failedTo('fetch community figures'),
  'POST /wellness/log/': failedTo('log this entry'),
  'POST /wellness/remove/': failedTo('delete this entry'),
  'POST /wellness/breathing/start/': failedTo('start breathing exercise'),
  'POST /wellness/breathing/finish/': failedTo('finish breathing exercise'),
  'POST /wellness/rest/': failedTo('save rest days'),
  'POST /wellness/zone/': failedTo('change your time zone'),
  'POST /wellness/import/': failedTo('import this file'),
  'POST /wellness/history/': list('wellness history'),
  'POST /wellness/friends/': list('friends board'),
  'POST /wellness/friends/join/': failedTo('join the friends board'),

  'POST /game/start/': failedTo('start game'),
  'GET /game/{id}/': failedTo('fetch game'),
  'POST /game/{id}/deal/': failedTo('deal question'),
  'POST /game/{id}/shoot/': failedTo('submit score'),
  'POST /game/{id}/power/': failedTo('use power-up'),
  'POST /game/{id}/pause/': failedTo('pause game'),
  'POST /game/{id}/end/': failedTo('end game'),
  'GET /quiz/': failedTo('fetch quiz overview'),
  'GET /quiz/leaderboard/': list('leaderboard'),
  'POST /quiz/visibility/': failedTo('save your leaderboard setting'),
  'POST /quiz/guest/start/': failedTo('start game'),
  'POST /quiz/guest/move/': failedTo('play this move'),
  'POST /quiz/guest/keep/': failedTo('keep your points'),

  'POST /news/': failedTo('fetch your news'),
  'GET /news/unread/': failedTo('count your news'),
  'POST /news/read/': failedTo('mark this as read'),
  'POST /news/read-all/': failedTo('mark your news as read'),
  'GET /news/settings/': failedTo('fetch your news settings'),
  'POST /news/settings/': failedTo('save your choice'),
  'POST /news/push/': failedTo('turn on push messages'),
  'POST /news/push/stop/': failedTo('turn off push messages'),
  'POST /news/email/': failedTo('send a code'),
  'POST /news/email/confirm/': failedTo('confirm your address'),
  'POST /news/email/stop/': failedTo('stop e-mails'),
  'POST /news/telegram/': failedTo('connect Telegram'),
  'POST /news/telegram/stop/': failedTo('stop messages by Telegram'),
  'POST /news/unsubscribe/{key}/': failedTo('stop e-mails'),
  'POST /share/': failedTo('make your card'),
  'POST /unshare/': failedTo('remove your link'),
  'GET /share/{token}/': failedTo('fetch this card'),
  'POST /share/{token}/duel/': failedTo('start the duel'),

  'GET /active-game/': failedTo('fetch active game'),
  'GET /games/': list('finished rounds'),
  'GET /colour/running/': failedTo('fetch the current round'),
  'GET /colour/rounds/{number}/': failedTo('fetch round'),
  'GET /colour/fairness/': failedTo('fetch draw statistics'),
  'POST /place-bet/': failedTo('place bet'),
  'POST /colorupline_referral/': failedTo('pay colour upline rewards'),
  'GET /bet_history/': list('bet history'),
  'POST /bet_history_csv/': failedTo('export your bets'),
  'POST /betwallet/': betWallet,
  'GET /betwallet_history/': list('bet wallet history'),
  'POST /betwallet_history_csv/': failedTo('export your bet wallet'),
  'GET /colour/limits/': failedTo('fetch your limits'),
  'POST /colour/limits/': failedTo('save your limit'),
  'POST /colour/exclusion/': failedTo('start your break'),

  'GET /trust/summary/': failedTo('fetch reserves'),
  'GET /trust/halt/': failedTo('check whether payouts are paused'),
  'POST /trust/proof/': failedTo('fetch balance proof'),
  'POST /trust/receipt/': failedTo('fetch receipt'),

  'POST /support/health/': failedTo('fetch health balance'),
  'POST /healthroi/': failedTo('release health balance'),
  'POST /support/requests/': list('support requests'),
  'POST /support/thread/': failedTo('fetch support request'),
  'POST /support/open/': failedTo('send support request'),
  'POST /support/appeal/': failedTo('send appeal'),
  'POST /support/reply/': failedTo('send reply'),
  'POST /support/close/': failedTo('close support request'),
}

export const wordsFor = ({ method, path }: { method: string; path: string }, reason: Reason): Words =>
  callWords[`${method} ${path}` as CallKey](reason)
