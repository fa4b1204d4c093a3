import type { Chain } from '../chain/client.ts'
import { chainInvariants } from '../chain/invariants.ts'
import { colourInvariants } from '../features/colour/audit.ts'
import { deletionInvariants } from '../features/deletion/invariants.ts'
import { planInvariants } from '../features/plans/invariants.ts'
import { quizInvariants } from '../features/quiz/replays.ts'
import { referralInvariants } from '../features/referrals/invariants.ts'
import { rewardInvariants } from '../features/rewards/invariants.ts'
import { transferInvariants } from '../features/transfers/invariants.ts'
import { trustInvariants } from '../features/trust/invariants.ts'
import { userInvariants } from '../features/users/invariants.ts'
import { walletChangeInvariants } from '../features/users/wallet-changes-audit.ts'
import { signatureInvariants, withdrawalInvariants } from '../features/withdrawals/invariants.ts'
import type { Invariant } from '../ledger/audit.ts'
import { ledgerInvariants } from '../ledger/invariants.ts'
import { actInvariants } from './invariants-acts.ts'

/** A feature that has an invariant adds it here. */
const independent: Invariant[] = [
  ...ledgerInvariants,
  ...userInvariants,
  ...planInvariants,
  ...rewardInvariants,
  ...referralInvariants,
  ...quizInvariants,
  ...withdrawalInvariants,
  ...trustInvariants,
  ...deletionInvariants,
]

/** Every invariant that can be checked without the chain. */
export const invariants: Invariant[] = [...independent, ...colourInvariants()]

/** All invariants, including those that compare our records with the chain or verify signatures for this chain. */
export const allInvariants = (chain: Chain): Invariant[] => [
  ...independent,
  ...colourInvariants(chain),
  ...chainInvariants(chain),
  ...signatureInvariants(chain),
  ...transferInvariants(chain),
  ...walletChangeInvariants(chain),
  ...actInvariants(chain),
]
