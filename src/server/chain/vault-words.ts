import type { SignerRole } from './tables.ts'
import type { VaultKey } from './vault.ts'
import type { KeyholderCall } from './vault-calls.ts'

// What the contract allows, in words. Its times are fixed in the code, so they are no terms.

export const keyRights: Record<VaultKey, string> = {
  payer: 'make the vault pay, each id once, within its limits and while the last root is a day old at most',
  publisher: 'publish roots and anchors; the guardian can take back those of the last 48 hours',
  guardian: 'pause the vault, take back roots, cancel changes; move no money',
  owner: 'propose other keys, limits and surplus, which apply 48 hours later; lift a pause',
}

/** What stops without the key. */
export const withoutKey: Record<SignerRole, string> = {
  payer: 'Payouts wait.',
  publisher: 'Without a root, payouts stop after 24 hours.',
}

export const callEffects: Record<KeyholderCall[0], string> = {
  pause: 'stops payouts, roots and surplus at once. After 6 days without a root anybody can call the exits',
  unpause: 'lifts the pause',
  strike: 'takes back this root and all later ones. The one before it counts again, with its age',
  accept: 'applies the proposal, from 48 hours to 9 days after it was made',
  cancel: 'deletes the proposal',
  propose: 'can be accepted from 48 hours to 9 days later. Lower limits apply at once',
}
