import type { terms } from '../../../protocol/terms.ts'
import type { Handlers } from '../../context.ts'
import { announcementsOf, listTermsPeriods } from '../../platform/terms.ts'

export const handlers: Handlers<typeof terms> = {
  read: async ({ db }) => {
    const periods = await listTermsPeriods(db)
    const [{ version, terms: data }] = periods
    return { status: 'success', Msg: 'Terms', version, data, announced: announcementsOf(periods) }
  },
}
