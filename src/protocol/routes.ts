import { balance } from './balance.ts'
import { colour } from './colour.ts'
import { declarations } from './declarations.ts'
import { deletion } from './deletion.ts'
import { news } from './news.ts'
import { plans } from './plans.ts'
import { quiz } from './quiz.ts'
import { records } from './records.ts'
import { referrals } from './referrals.ts'
import { rewards } from './rewards.ts'
import type { Routes } from './route.ts'
import { shares } from './shares.ts'
import { support } from './support.ts'
import { terms } from './terms.ts'
import { transfers } from './transfers.ts'
import { trust } from './trust.ts'
import { users } from './users.ts'
import { wallet } from './wallet.ts'
import { wellness } from './wellness.ts'
import { withdrawals } from './withdrawals.ts'

/** THE route table: every API call, by feature. A feature is added once it is implemented. */
export const routes = {
  users,
  declarations,
  referrals,
  plans,
  rewards,
  balance,
  withdrawals,
  transfers,
  wallet,
  wellness,
  quiz,
  shares,
  colour,
  trust,
  support,
  news,
  terms,
  records,
  deletion,
} as const satisfies Record<string, Routes>

type Tables = typeof routes
type CallOf<Table> = Table[keyof Table]
type KeyOf<Call> = Call extends { method: infer Method extends string; path: infer Path extends string }
  ? `${Method} ${Path}`
  : never

/** Names one call of the table, such as 'POST /detail/'. */
export type CallKey = { [Feature in keyof Tables]: KeyOf<CallOf<Tables[Feature]>> }[keyof Tables]
