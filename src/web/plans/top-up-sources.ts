import type { TopUpSource } from '../../protocol/top-up.ts'

export const sourceLabels: Record<TopUpSource, string> = { daily: 'Daily Rewards', referral: 'Referral Rewards' }

export const sources = [
  { value: 'daily', label: sourceLabels.daily },
  { value: 'referral', label: sourceLabels.referral },
] as const
