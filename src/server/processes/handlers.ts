import type { routes } from '../../protocol/routes.ts'
import type { Handlers } from '../context.ts'
import { handlers as balance } from '../features/balance/handlers.ts'
import { handlers as colour } from '../features/colour/handlers.ts'
import { handlers as declarations } from '../features/declarations/handlers.ts'
import { handlers as deletion } from '../features/deletion/handlers.ts'
import { handlers as news } from '../features/news/handlers.ts'
import { handlers as plans } from '../features/plans/handlers.ts'
import { uplineRewards } from '../features/plans/upline.ts'
import { handlers as quiz } from '../features/quiz/handlers.ts'
import { handlers as records } from '../features/records/handlers.ts'
import { createHandlers as createReferrals } from '../features/referrals/handlers.ts'
import { handlers as rewards } from '../features/rewards/handlers.ts'
import { handlers as shares } from '../features/shares/handlers.ts'
import { handlers as support } from '../features/support/handlers.ts'
import { handlers as terms } from '../features/terms/handlers.ts'
import { handlers as transfers } from '../features/transfers/handlers.ts'
import { handlers as trust } from '../features/trust/handlers.ts'
import { refuseUnpublishedWallet } from '../features/trust/published-wallet.ts'
import { handlers as users } from '../features/users/handlers.ts'
import { handlers as wallet } from '../features/wallet/handlers.ts'
import { handlers as wellness } from '../features/wellness/handlers.ts'
import { createHandlers as createWithdrawals } from '../features/withdrawals/handlers.ts'

/** What answers each route, by feature. */
export const handlers: { [Feature in keyof typeof routes]: Handlers<(typeof routes)[Feature]> } = {
  balance,
  colour,
  declarations,
  deletion,
  news,
  plans,
  quiz,
  records,
  referrals: createReferrals(uplineRewards),
  rewards,
  shares,
  support,
  terms,
  transfers,
  trust,
  users,
  wallet,
  wellness,
  withdrawals: createWithdrawals(refuseUnpublishedWallet),
}
