import type { records } from '../../../protocol/records.ts'
import type { Handlers } from '../../context.ts'
import { listRecords } from './records.ts'
import { partlyWithheld, withheld } from './withheld.ts'

export const handlers: Handlers<typeof records> = {
  list: async ({ db, user }, { from }) => ({
    status: 'success',
    Msg: 'Your records',
    ...(await listRecords(db, user, from)),
    withheld: { ...withheld, ...partlyWithheld },
  }),
}
