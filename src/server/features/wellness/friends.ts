import { sql } from 'kysely'
import type { Day } from '../../../protocol/time.ts'
import { levelOf } from '../../../protocol/users.ts'
import type { Db, Tx } from '../../platform/db.ts'

const FRIENDS_MAX = 50

type Row = { number: number; username: string; points: bigint; points_week: bigint; rings_week: bigint }

/** The user, their sponsor and the people they invited. Only those who joined the board see it and appear on it. */
export async function readFriends(db: Db, userNumber: number, monday: Day) {
  const { joined, invited, sponsor } = await readOwn(db, userNumber)
  if (!joined) return { joined, invited, data: [] }
  const { rows } = await sql<Row>`
    select u.number, u.username, u.points,
      coalesce((select sum(points) from point_awards
        where user_number = u.number and awarded_at >= ${`${monday}T00:00:00Z`}::timestamptz), 0)::int8 as points_week,
      (select count(*) from wellness_completions where user_number = u.number and day_on >= ${monday}::date) as rings_week
    from users u join wellness_friends f on f.user_number = u.number and f.joined
    where u.number = ${userNumber} or u.sponsor_number = ${userNumber} or u.number = ${sponsor}::int
    order by points_week desc, rings_week desc, u.username
    limit ${FRIENDS_MAX}`.execute(db)
  const data = rows.map((row, index) => ({
    rank: index + 1,
    username: row.username,
    level: levelOf(row.points),
    points_week: Number(row.points_week),
    rings_week: Number(row.rings_week),
    me: row.number === userNumber,
    inviter: row.number === sponsor,
  }))
  return { joined, invited, data }
}

async function readOwn(db: Db, userNumber: number) {
  const { rows } = await sql<{ joined: boolean; invited: bigint; sponsor: number | null }>`
    select coalesce(f.joined, false) as joined, u.sponsor_number as sponsor,
      (select count(*) from users where sponsor_number = u.number) as invited
    from users u left join wellness_friends f on f.user_number = u.number
    where u.number = ${userNumber}`.execute(db)
  const own = rows[0]
  return { joined: own?.joined ?? false, invited: Number(own?.invited ?? 0), sponsor: own?.sponsor ?? null }
}

export async function joinFriends(tx: Tx, userNumber: number, joined: boolean): Promise<void> {
  await tx
    .insertInto('wellness_friends')
    .values({ user_number: userNumber, joined })
    .onConflict((conflict) => conflict.column('user_number').doUpdateSet({ joined }))
    .execute()
}
