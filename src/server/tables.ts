import type { ChainTables } from './chain/tables.ts'
import type { ColourTables } from './features/colour/tables.ts'
import type { DeclarationsTables } from './features/declarations/tables.ts'
import type { NewsTables } from './features/news/tables.ts'
import type { PlansTables } from './features/plans/tables.ts'
import type { QuizTables } from './features/quiz/tables.ts'
import type { ReferralsTables } from './features/referrals/tables.ts'
import type { RewardsTables } from './features/rewards/tables.ts'
import type { SharesTables } from './features/shares/tables.ts'
import type { SupportTables } from './features/support/tables.ts'
import type { TransfersTables } from './features/transfers/tables.ts'
import type { TrustTables } from './features/trust/tables.ts'
import type { UsersTables } from './features/users/tables.ts'
import type { WellnessTables } from './features/wellness/tables.ts'
import type { WithdrawalsTables } from './features/withdrawals/tables.ts'
import type { LedgerTables } from './ledger/tables.ts'
import type { OperatorsTables } from './operators/tables.ts'

/** All database tables, merged here so that `Db` and `Tx` in platform/db.ts are typed with them everywhere. */
declare module './platform/tables.ts' {
  interface Tables
    extends LedgerTables,
      ChainTables,
      UsersTables,
      DeclarationsTables,
      ReferralsTables,
      PlansTables,
      RewardsTables,
      WithdrawalsTables,
      TransfersTables,
      WellnessTables,
      QuizTables,
      SharesTables,
      ColourTables,
      SupportTables,
      TrustTables,
      NewsTables,
      OperatorsTables {}
}
