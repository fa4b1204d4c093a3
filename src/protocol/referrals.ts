import { z } from 'zod'
import { id } from './ids.ts'
import { type Usdt, usdt } from './money.ts'
import { nothing, page, pageInput, route, success } from './route.ts'
import type { Refusal } from './rules.ts'
import type { Rank } from './terms.ts'
import { instant } from './time.ts'
import { USERNAME_CHARS, username } from './users.ts'

const rankName = z.string().nullable()

/** A volume is shown only if at least this many members contribute, so that it says little about each of them. */
export const VOLUME_MEMBERS_MIN = 3

/**
 * A member as their upline sees them. The plan amount and the size of the team are null unless the member shows them.
 * There is no wallet, because anyone can look up its payments on chain, and no volume of the member's team, because it
 * consists of other people's plans.
 */
const member = {
  user_name: username,
  level: z.int(),
  joined_at: instant,
  active: z.boolean(),
  plan_amount: usdt.nullable(),
  team_members: z.int().nullable(),
}

const directRow = z.strictObject({ ...member, direct_members: z.int() })
export type TreeMember = z.output<typeof directRow>

export const holdId = id('hold')
/** Signs that two accounts belong to the same person. Funding alone holds a reward; of the others it takes two. */
export const flagKinds = ['device', 'funding', 'burst'] as const
/** A sign of fake accounts: this many sign-ups below one sponsor within this many minutes. */
export const BURST_SIGN_UPS = 5
export const BURST_MINUTES = 10
/** Explains a sign to the user whose reward is held: enough to appeal, without revealing other people's wallets. */
export const flagReasons: Record<(typeof flagKinds)[number], string> = {
  device: 'The buyer’s account and yours, or several accounts in your team, were used in the same browser.',
  funding: 'The purchase was paid from a wallet that also paid for you, or for several accounts in your team.',
  burst: `${BURST_SIGN_UPS} or more accounts joined your team within ${BURST_MINUTES} minutes.`,
}

const hold = z.strictObject({
  hold_id: holdId,
  amount: usdt,
  level: z.int(),
  percent: z.string(),
  held_at: instant,
  reasons: z.array(z.enum(flagKinds)),
  /** Still held, released to the user, or taken back by the operator. */
  state: z.enum(['held', 'released', 'forfeited']),
  note: z.string().nullable(),
  appeal_id: id('request').nullable(),
})
export type RewardHold = z.output<typeof hold>

/** A held reward can be appealed once. The conversation then continues in the support request. */
export function refuseAppeal(hold: { state: string; appeal_id: string | null }): Refusal | undefined {
  const refuse = (message: string): Refusal => ({ code: 'not_eligible', message })
  if (hold.state !== 'held') return refuse('This has already been decided. If you think it is wrong, write to us.')
  return hold.appeal_id === null
    ? undefined
    : refuse('You have already appealed. Add to your request in Health Support.')
}

/** The first characters of the username to search for. */
export const nameBeginning = z
  .string()
  .regex(new RegExp(`^[a-z0-9_]{1,${USERNAME_CHARS.max}}$`), 'Use only a–z, 0–9 and _')

export const referrals = {
  summary: route({
    method: 'POST',
    path: '/referral_summary/',
    summary: 'Your referral code, team totals, rank and what the next rank needs',
    auth: 'user',
    input: nothing,
    output: success({
      data: z.strictObject({
        referral_code: z.string(),
        direct: z.int(),
        members: z.int(),
        active: z.int(),
        /** Of the levels with enough members to show it. The rank counts all levels. */
        volume: usdt,
        earned: usdt,
        rank: rankName,
        next_rank: rankName,
        next_rank_volume: usdt.nullable(),
        hides_figures: z.boolean(),
      }),
    }),
  }),
  tree: route({
    method: 'POST',
    path: '/direct_referral_tree/',
    summary: 'A member of your team (or you), with a page of their direct referrals',
    auth: 'user',
    input: z.strictObject({ user_name: username, page_no: z.int().min(1).max(1_000_000).default(1) }),
    output: success({
      data: z.strictObject({
        ...directRow.shape,
        /** From the caller down to this member. */
        path: z.array(username),
        children: z.array(directRow),
      }),
      page_no: z.int(),
      page_size: z.int(),
      total: z.int(),
    }),
    errors: ['unknown_user'],
  }),
  direct: route({
    method: 'POST',
    path: '/Direct_referral_list/',
    summary: 'Direct referrals, oldest first',
    auth: 'user',
    input: pageInput,
    output: page(directRow),
  }),
  details: route({
    method: 'POST',
    path: '/referral_details/',
    summary: 'Everyone in your team, with their depth and sponsor',
    auth: 'user',
    input: pageInput,
    output: page(z.strictObject({ ...member, depth: z.int(), sponsor: username })),
  }),
  performance: route({
    method: 'POST',
    path: '/business_performance/',
    summary: 'Your team by level: members, active plans, volume and what you earned',
    auth: 'user',
    input: pageInput,
    output: page(
      z.strictObject({
        depth: z.int(),
        members: z.int(),
        active: z.int(),
        /** Null if fewer members have an active plan than `VOLUME_MEMBERS_MIN`. */
        volume: usdt.nullable(),
        percent: z.string(),
        earned: usdt,
      }),
    ),
  }),
  search: route({
    method: 'POST',
    path: '/referral_search/',
    summary: 'Members of your team whose username starts with these characters',
    auth: 'user',
    input: z.strictObject({ beginning: nameBeginning }),
    output: success({
      data: z.array(z.strictObject({ user_name: username, depth: z.int(), path: z.array(username) })),
    }),
  }),
  holds: route({
    method: 'POST',
    path: '/referral_holds/',
    summary: 'Your rewards that are or were on hold, with the reasons',
    auth: 'user',
    input: pageInput,
    output: page(hold),
  }),
  privacy: route({
    method: 'POST',
    path: '/referral_privacy/',
    summary: 'Hide your figures from your upline, or show them',
    auth: 'user',
    changes: true,
    input: z.strictObject({ hide: z.boolean() }),
    output: success({}),
  }),
}

/** The rank a team volume reaches, and the next one. */
export function rankOf(volume: Usdt, ranks: readonly Rank[]) {
  const reached = ranks.findLastIndex((rank) => volume >= rank.volumeMin)
  return { rank: ranks[reached], next: ranks[reached + 1] }
}
