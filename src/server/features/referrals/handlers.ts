import { AppError } from '../../../protocol/errors.ts'
import { add, ZERO } from '../../../protocol/money.ts'
import { rankOf, type referrals, VOLUME_MEMBERS_MIN } from '../../../protocol/referrals.ts'
import { PAGE_SIZE } from '../../../protocol/route.ts'
import type { Handlers } from '../../context.ts'
import { type Paging, sliceOf } from '../../platform/pages.ts'
import { termsAt } from '../../platform/terms.ts'
import { earnedByDepth } from './earned.ts'
import { listHolds } from './holds.ts'
import {
  findInDownline,
  getPlace,
  listDirect,
  listDownline,
  listUsernames,
  searchDownline,
  toDirectMember,
  toMember,
} from './queries.ts'
import { getTeamTotals, listTeamLevels, type TeamLevel } from './totals.ts'
import type { UplineRewards } from './upline-rewards.ts'

const paged = <Row>(data: Row[], paging: Paging, total: number) => {
  const { page_no, page_size } = sliceOf(paging)
  return { data, page_no, page_size, total }
}

/** The volume of a level, unless so few members contribute that it would show what one of them holds. */
const visibleVolume = ({ active, volume }: TeamLevel) => (active < VOLUME_MEMBERS_MIN ? null : volume)

/** The handlers of this feature. `rewards` is a query that the plans module provides. */
export const createHandlers = (rewards: UplineRewards): Handlers<typeof referrals> => ({
  ...teamHandlers,

  summary: async ({ db, user }) => {
    const [terms, totals, levels, earned, row] = await Promise.all([
      termsAt(db),
      getTeamTotals(db, user.number),
      listTeamLevels(db, user.number),
      earnedByDepth(db, rewards, user.number),
      db
        .selectFrom('users')
        .select(['referral_code', 'hides_figures'])
        .where('number', '=', user.number)
        .executeTakeFirstOrThrow(),
    ])
    const { rank, next } = rankOf(totals.volume, terms.ranks)
    return {
      status: 'success',
      Msg: 'Your team',
      data: {
        ...row,
        ...totals,
        volume: add(...levels.map((level) => visibleVolume(level) ?? ZERO)),
        earned: earned.total,
        rank: rank?.name ?? null,
        next_rank: next?.name ?? null,
        next_rank_volume: next?.volumeMin ?? null,
      },
    }
  },

  performance: async ({ db, user }, paging) => {
    const [{ uplinePercents }, levels, earned] = await Promise.all([
      termsAt(db),
      listTeamLevels(db, user.number),
      earnedByDepth(db, rewards, user.number),
    ])
    const rows = levels.map((row) => ({
      ...row,
      volume: visibleVolume(row),
      percent: `${uplinePercents[row.depth - 1] ?? 0n}`,
      earned: earned.byDepth.get(row.depth) ?? ZERO,
    }))
    const { offset, page_size } = sliceOf(paging)
    const data = rows.slice(offset, offset + page_size)
    return { status: 'success', Msg: 'Your levels', ...paged(data, paging, rows.length) }
  },

  holds: async ({ db, user }, paging) => {
    const { data, total } = await listHolds(db, rewards, user.number, paging)
    const rows = data.map(({ kinds, ...row }) => ({ ...row, reasons: kinds }))
    return { status: 'success', Msg: 'Rewards on hold', ...paged(rows, paging, total) }
  },
})

const teamHandlers: Handlers<Omit<typeof referrals, 'summary' | 'performance' | 'holds'>> = {
  tree: async ({ db, user }, { user_name, page_no }) => {
    const caller = await getPlace(db, user.number)
    const member = await findInDownline(db, caller, user_name)
    if (!member) throw new AppError('unknown_user', 'There is no such member in your team', 'user_name')
    const own = member.path.slice(caller.path.length - 1)
    const [children, names, totals] = await Promise.all([
      listDirect(db, member.number, { page_no }),
      listUsernames(db, own),
      getTeamTotals(db, member.number),
    ])
    const data = {
      ...toDirectMember({ ...member, direct: totals.direct, members: totals.members }, user.number),
      path: own.map((number) => names.get(number) ?? ''),
      children: children.map((row) => toDirectMember(row, user.number)),
    }
    return { status: 'success', Msg: 'Team', data, page_no, page_size: PAGE_SIZE, total: totals.direct }
  },

  direct: async ({ db, user }, paging) => {
    const [rows, totals] = await Promise.all([listDirect(db, user.number, paging), getTeamTotals(db, user.number)])
    const data = rows.map((row) => toDirectMember(row, user.number))
    return { status: 'success', Msg: 'Direct referrals', ...paged(data, paging, totals.direct) }
  },

  details: async ({ db, user }, paging) => {
    const place = await getPlace(db, user.number)
    const [rows, totals] = await Promise.all([listDownline(db, place, paging), getTeamTotals(db, user.number)])
    const data = rows.map((row) => ({ ...toMember(row, user.number), depth: row.depth, sponsor: row.sponsor }))
    return { status: 'success', Msg: 'Your downline', ...paged(data, paging, totals.members) }
  },

  search: async ({ db, user }, { beginning }) => {
    const place = await getPlace(db, user.number)
    const found = await searchDownline(db, place, beginning)
    const names = await listUsernames(db, [...new Set(found.flatMap(({ path }) => path.slice(place.path.length - 1)))])
    const data = found.map(({ username, path }) => ({
      user_name: username,
      depth: path.length - place.path.length,
      path: path.slice(place.path.length - 1).map((number) => names.get(number) ?? ''),
    }))
    return { status: 'success', Msg: `${data.length} found`, data }
  },

  privacy: ({ change, user }, { hide }) =>
    change(async (tx) => {
      await tx.updateTable('users').set({ hides_figures: hide }).where('number', '=', user.number).execute()
      const Msg = hide ? 'Your figures are hidden from your upline' : 'Your upline can see your figures'
      return { status: 'success', Msg }
    }),
}
