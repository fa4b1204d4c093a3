import type { Generated } from 'kysely'
import type { Id } from '../../../protocol/ids.ts'
import type { SUPPORT_STATES, SUPPORT_TOPICS } from '../../../protocol/support.ts'

export type SupportTables = {
  support_requests: {
    id: Id<'request'>
    user_number: number
    topic: (typeof SUPPORT_TOPICS)[number]
    subject: string
    state: Generated<(typeof SUPPORT_STATES)[number]>
    urgent: boolean
    created_at: Date
    updated_at: Date
  }
  support_messages: {
    id: Id<'message'>
    request_id: Id<'request'>
    author: 'user' | 'operator'
    text: string
    written_at: Date
  }
}
