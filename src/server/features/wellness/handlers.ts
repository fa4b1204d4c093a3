import { dayOf } from '../../../protocol/time.ts'
import type { Gain, wellness } from '../../../protocol/wellness.ts'
import { mondayOf } from '../../../protocol/wellness-streak.ts'
import type { Handlers } from '../../context.ts'
import { finishBreathing, startBreathing } from './breathing.ts'
import { countEverything } from './community.ts'
import { joinFriends, readFriends } from './friends.ts'
import { HISTORY_DAYS, readHistory } from './history.ts'
import { importDays } from './imports.ts'
import { logEntry, removeEntry } from './log.ts'
import { planRest } from './rest.ts'
import { readToday } from './today.ts'
import { changeZone, readOwnDay } from './zones.ts'

const praise = ({ closed, perfect_day, points }: Gain): string => {
  if (perfect_day) return `All four rings closed! +${points} points`
  if (closed.length > 0) return `Ring closed! +${points} points`
  return 'Logged'
}

export const handlers: Handlers<typeof wellness> = {
  today: async ({ db, user, clock }) => ({
    status: 'success',
    Msg: 'Today',
    data: await readToday(db, user.number, clock.now()),
  }),

  log: ({ change, user, clock }, input) =>
    change(async (tx) => {
      const now = clock.now()
      const gain = await logEntry(tx, user.number, input, now)
      return { status: 'success', Msg: praise(gain), gain, data: await readToday(tx, user.number, now) }
    }),

  remove: ({ change, user, clock }, { entry_id }) =>
    change(async (tx) => {
      await removeEntry(tx, user.number, entry_id, clock.now())
      return { status: 'success', Msg: 'Entry removed', data: await readToday(tx, user.number, clock.now()) }
    }),

  breathe: ({ change, user, clock }, { exercise }) =>
    change(async (tx) => {
      const started_at = clock.now()
      const { id, lengthSeconds } = await startBreathing(tx, user.number, exercise, started_at)
      return { status: 'success', Msg: 'Breathe', breathing_id: id, started_at, length_seconds: lengthSeconds }
    }),

  finishBreathing: ({ change, user, clock }, { breathing_id }) =>
    change(async (tx) => {
      const now = clock.now()
      const gain = await finishBreathing(tx, user.number, breathing_id, now)
      return { status: 'success', Msg: praise(gain), gain, data: await readToday(tx, user.number, now) }
    }),

  rest: ({ change, user, clock }, { weekdays }) =>
    change(async (tx) => {
      await planRest(tx, user.number, weekdays, clock.now())
      const data = await readToday(tx, user.number, clock.now())
      return { status: 'success', Msg: 'Your rest days start next Monday', data }
    }),

  zone: ({ change, user, clock }, { zone }) =>
    change(async (tx) => {
      await changeZone(tx, user.number, zone, clock.now())
      const data = await readToday(tx, user.number, clock.now())
      return { status: 'success', Msg: 'Your days follow this time zone now', data }
    }),

  import: ({ change, user, clock }, input) =>
    change(async (tx) => {
      const result = await importDays(tx, user.number, input, clock.now())
      return { status: 'success', Msg: result.added === 1 ? '1 new entry' : `${result.added} new entries`, ...result }
    }),

  history: async ({ db, user, clock }) => ({
    status: 'success',
    Msg: `Your last ${HISTORY_DAYS} days`,
    data: await readHistory(db, user.number, await readOwnDay(db, user.number, clock.now())),
  }),

  friends: async ({ db, user, clock }) => ({
    status: 'success',
    Msg: 'Friends',
    ...(await readFriends(db, user.number, mondayOf(dayOf(clock.now())))),
  }),

  community: async ({ db }) => ({ status: 'success', Msg: 'Everyone so far', data: await countEverything(db) }),

  joinFriends: ({ change, user }, { join }) =>
    change(async (tx) => {
      await joinFriends(tx, user.number, join)
      return { status: 'success', Msg: join ? 'You are on the board' : 'You left the board', joined: join }
    }),
}
