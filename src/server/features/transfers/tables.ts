import type { Usdt } from '../../../protocol/money.ts'

export type TransfersTables = {
  transfers: {
    id: string
    from_number: number
    to_number: number
    source: 'wallet' | 'reward' | 'referral'
    amount: Usdt
    note: string | null
    sent_at: string
  }
}
