import type { Id } from '../../../protocol/ids.ts'
import type { SupportRequest } from '../../../protocol/support.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { fromNearerEnd, type Paging, sliceOf } from '../../platform/pages.ts'

const selectRequests = (db: Db | Tx) =>
  db
    .selectFrom('support_requests as r')
    .select(['r.id', 'r.topic', 'r.subject', 'r.state', 'r.urgent', 'r.created_at', 'r.updated_at'])
    .select(({ selectFrom }) =>
      selectFrom('support_messages as m')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .whereRef('m.request_id', '=', 'r.id')
        .as('messages'),
    )

type Row = Omit<SupportRequest, 'messages'> & { messages: bigint | null }
const requestOf = (row: Row): SupportRequest => ({ ...row, messages: Number(row.messages ?? 0) })

export async function listRequests(db: Db, userNumber: number, paging: Paging) {
  const own = db.selectFrom('support_requests').where('user_number', '=', userNumber)
  const counts = await own.select(({ fn }) => fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
  const total = Number(counts.total)
  const { limit, skip, fromEnd } = fromNearerEnd(sliceOf(paging), total)
  const [newest, id] = fromEnd ? (['asc', 'desc'] as const) : (['desc', 'asc'] as const)
  const page = own.select('id').orderBy('updated_at', newest).orderBy('id', id).limit(limit).offset(skip)
  const rows = await selectRequests(db)
    .where('r.id', 'in', page)
    .orderBy('r.updated_at', 'desc')
    .orderBy('r.id')
    .execute()
  return { data: rows.map(requestOf), total }
}

/** A request with its messages. Without `userNumber` it finds requests of any user, for operators. */
export async function findThread(db: Db | Tx, id: Id<'request'>, userNumber?: number) {
  const row = await selectRequests(db)
    .where('r.id', '=', id)
    .$if(userNumber !== undefined, (query) => query.where('r.user_number', '=', userNumber ?? 0))
    .executeTakeFirst()
  if (!row) return undefined
  const data = await db
    .selectFrom('support_messages')
    .select(['author', 'text', 'written_at'])
    .where('request_id', '=', id)
    .orderBy('id')
    .execute()
  return { request: requestOf(row), data }
}

export type Waiting = SupportRequest & { username: string }

/** Requests that need an answer: urgent ones first, then those that have waited longest. */
export async function listWaiting(db: Db, options: { all: boolean; limit: number }): Promise<Waiting[]> {
  const rows = await selectRequests(db)
    .innerJoin('users as u', 'u.number', 'r.user_number')
    .select('u.username')
    .$if(!options.all, (query) => query.where('r.state', '=', 'open'))
    .orderBy('r.urgent', 'desc')
    .orderBy('r.updated_at')
    .limit(options.limit)
    .execute()
  return rows.map(({ username, ...row }) => ({ ...requestOf(row), username }))
}
