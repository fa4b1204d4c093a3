const UNKNOWN = 'Unknown error occurred'

/** The specification's error catalogue and notices, word for word. Each text is written only here. */
export const errorTexts = {
  /** Most calls: `action` is what failed, such as 'start game'. */
  failedTo: (action: string, reason: string) => `Failed to ${action}: ${reason}`,
  unknown: UNKNOWN,
  /** No reply at all. Calls are retried with the same key, so nothing happens twice. */
  noAnswer: 'No answer from the server. Nothing was lost: check your connection and try again.',
  /** Notice for a list that did not load. */
  backend: (reason: string = UNKNOWN) => `Backend error: ${reason}`,
  /** A list that did not load, without a reason. `what` is for example 'referral history'. */
  failedToFetch: (what: string) => `Failed to fetch ${what}. Please try again.`,
  planHistory: 'Error fetching plan history',
  details: 'Error fetching details',
  topUp: 'Error processing withdrawal request',
  purchase: 'Payment processing failed',
  rewardClaim: 'An error occurred while claiming the reward.',
  betWallet: 'Transaction already recorded',
} as const

export const noticeTexts = {
  loading: 'Loading...',
  refreshed: 'Page refreshed !',
  addressCopied: 'Address copied to clipboard!',
  planPurchased: 'Plan purchased successfully! 🎉',
  connect: 'Connect',
  guest: 'Guest',
} as const
