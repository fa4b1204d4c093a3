import { referralCode } from '../../protocol/users.ts'

const KEY = 'referral'

/** The code of an invitation that the visitor opened, until they sign up. Undefined without storage. */
export function readReferral(): string | undefined {
  try {
    return referralCode.safeParse(localStorage.getItem(KEY)).data
  } catch {
    return undefined
  }
}

/** A visitor may look around first, or reload, and sign up days later: the invitation still counts. */
export function keepReferral(code: string): void {
  try {
    localStorage.setItem(KEY, code)
  } catch {
    // Storage is full or blocked. The code still counts on the page of the link.
  }
}

export const forgetReferral = (): void => localStorage.removeItem(KEY)
