import type { Chain } from '../chain/client.ts'
import { chainInvariants } from '../chain/invariants.ts'
import { colourInvariants } from '../colour/audit.ts'
import type { Invariant } from '../ledger/audit.ts'
import { ledgerInvariants } from '../ledger/invariants.ts'
import { planInvariants } from '../plans/invariants.ts'
import { quizInvariants } from '../quiz/replays.ts'
import { referralInvariants } from '../referrals/invariants.ts'
import { rewardInvariants } from '../rewards/invariants.ts'
import { transferInvariants } from '../transfers/invariants.ts'
import { trustInvariants } from '../trust/invariants.ts'
import { userInvariants } from '../users/invariants.ts'
import { withdrawalInvariants } from '../withdrawals/invariants.ts'

/** Every law the product's books must keep. A feature that has one of its own adds it here. */
export const invariants: Invariant[] = [
  ...ledgerInvariants,
  ...userInvariants,
  ...planInvariants,
  ...rewardInvariants,
  ...referralInvariants,
  ...quizInvariants,
  ...colourInvariants,
  ...withdrawalInvariants,
  ...transferInvariants,
  ...trustInvariants,
]

/** And those between the books and the chain. */
export const allInvariants = (chain: Chain): Invariant[] => [...invariants, ...chainInvariants(chain)]
