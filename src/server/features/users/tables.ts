import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Address, UserId } from '../../../protocol/ids.ts'
import type { AvatarName, ProofKey } from '../../../protocol/users.ts'

export type UsersTables = {
  users: {
    id: UserId
    number: Generated<number>
    username: string
    /** Changes only by a row of `wallet_changes`. */
    wallet_address: ColumnType<Address, Address, never>
    referral_code: string
    sponsor_number: number | null
    /** User numbers from the root down to this user. Set by the database and never changed. */
    path: GeneratedAlways<number[]>
    points: ColumnType<bigint, bigint | undefined, bigint>
    frozen_at: Date | null
    hides_figures: Generated<boolean>
    hides_from_boards: Generated<boolean>
    /** The drawing that the user chose. Null: the first letter of the username. */
    avatar: AvatarName | null
    /** When the first session bound to a key was opened. The database sets it. */
    bound_at: ColumnType<Date | null, never, never>
    created_at: Generated<Date>
    /** Set by the database when the user is deleted, with the wallet that records of money name and what was given up. */
    deleted_at: ColumnType<Date | null, never, never>
    deleted_wallet: ColumnType<Address | null, never, never>
    given_up: ColumnType<bigint | null, never, never>
  }
  wallet_changes: {
    id: string
    user_number: number
    from_wallet: Address
    to_wallet: Address
    nonce: string
    deadline: Date
    from_signature: string
    to_signature: string
    asked_at: GeneratedAlways<Date>
    takes_effect_at: GeneratedAlways<Date>
    cancelled_at: ColumnType<Date | null, never, Date>
    done_at: ColumnType<Date | null, never, never>
    tx: GeneratedAlways<bigint>
  }
  /** A view: every wallet that is or was a user's. */
  user_wallets: { user_number: number; wallet_address: Address }
  sign_in_nonces: { nonce: string; wallet_address: Address; created_at: Generated<Date> }
  sessions: {
    id: string
    user_number: number
    token_hash: Buffer
    proof_key: ColumnType<ProofKey | null, string | null, never>
    device: string
    created_at: Generated<Date>
    seen_at: Generated<Date>
    ended_at: Date | null
  }
  session_proofs: { session_id: string; proof_hash: string; used_at: Generated<Date> }
  point_awards: {
    user_number: number
    source: string
    reference: string
    points: number
    awarded_at: Generated<Date>
  }
}
