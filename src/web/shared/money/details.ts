import { balance, type Details } from '../../../protocol/balance.ts'
import { plans } from '../../../protocol/plans.ts'
import { rewards } from '../../../protocol/rewards.ts'
import type { TopUpBalances } from '../../../protocol/top-up.ts'
import { useRead } from '../api/api.ts'
import { queries } from '../api/queries.tsx'

/** The user's balances and plans, from one query that all pages share. */
export function useDetails() {
  const { data, error, refetch } = useRead(balance.details, {})
  return { details: data?.data, error, refetch }
}

/** Refetches everything about money. Call it after money has moved. */
export const refreshDetails = (): Promise<void> =>
  Promise.all(
    [balance.details, balance.timeline, balance.statement, rewards.earnings, plans.history, plans.offers].map(
      ({ path }) => queries.invalidateQueries({ queryKey: [path] }),
    ),
  ).then(() => undefined)

/** Maps the details to the field names that the top-up rules use. */
export const topUpBalances = (details: Details): TopUpBalances => ({
  withdrawableTotal: details.TWA,
  withdrawableNow: details.BWA,
  planAmount: details.planamount,
  planAmountMax: details.max_amount,
  reward: details.planreward,
  referral: details.planreff,
  amountMin: details.minimumamount,
})
