import type { Generated } from 'kysely'
import type { Id } from '../../../protocol/ids.ts'
import type { NewsChannel, StoredChoices } from '../../../protocol/news-choices.ts'

export type DeliveryId = Id<'delivery'>
export type DeviceId = Id<'device'>

export type NewsTables = {
  news_settings: {
    user_number: number
    choices: StoredChoices
    quiet_from: string | null
    quiet_until: string | null
  }
  news_devices: {
    id: DeviceId
    user_number: number
    session_id: string
    endpoint: string
    p256dh: string
    auth: string
    added_at: Generated<Date>
  }
  news_emails: { user_number: number; address: string; stop_key: string; confirmed_at: Date }
  /** Telegram's numbers have up to 52 bits. */
  news_chats: { user_number: number; chat_id: string; added_at: Date }
  news_chat_codes: { code_hash: Buffer; user_number: number; asked_at: Date; used_at: Date | null }
  news_email_codes: {
    id: Id<'code'>
    user_number: number
    address: string
    code_hash: Buffer | null
    tries: Generated<number>
    asked_at: Date
    attempts: Generated<number>
    next_at: Date | null
  }
  news_deliveries: {
    id: DeliveryId
    user_number: number
    news_id: Id<'news'>
    channel: NewsChannel
    device_id: DeviceId | null
    attempts: Generated<number>
    next_at: Date | null
    sent_at: Date | null
    created_at: Date
  }
  news_broadcasts: { version: number; told_until: Generated<number>; done: Generated<boolean> }
}
