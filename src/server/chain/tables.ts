import type { ColumnType, Generated } from 'kysely'
import type { Address } from '../../protocol/ids.ts'
import type { Usdt } from '../../protocol/money.ts'

/** The vault's keys with which the worker signs. */
export type SignerRole = 'payer' | 'publisher'
type Wei = ColumnType<string, string, never>
export type Hash = `0x${string}`

/** Signed bytes of a transaction of ours. A replacement has the same nonce. */
type Attempt = {
  tx_hash: Hash
  chain_id: bigint
  wallet: Address
  nonce: bigint
  raw: Hash
  fee_max_wei: Wei
  tip_max_wei: Wei
  signed_at: Generated<Date>
}

export type ChainTables = {
  chain_cursor: { chain_id: bigint; block_number: bigint; block_hash: Hash; moved_at: Generated<Date> }
  chain_payments: {
    id: string
    chain_id: bigint
    tx_hash: Hash
    ordinal: number
    direction: 'in' | 'out' | 'inside'
    from_address: Address
    to_address: Address
    value_wei: Wei
    block_number: bigint
    block_hash: Hash
    happened_at: Date
    recorded_at: Generated<Date>
  }
  chain_unbooked: { payment_id: string }
  chain_claims: {
    id: string
    chain_id: bigint
    tx_hash: Hash
    user_number: number | null
    product: 'plan' | 'bet' | 'wallet' | 'operator'
    amount: bigint
    details: ColumnType<unknown, string, never>
    state: Generated<'waiting' | 'credited' | 'diverted' | 'failed'>
    note: string | null
    claimed_at: Generated<Date>
    closed_at: Date | null
  }
  chain_payouts: {
    chain_id: bigint
    wallet: Address
    nonce: bigint
    reference: string
    to_address: Address
    amount: Usdt
    closed_at: Date | null
    /** The vault that pays, and the id there. Null for a payout from before the vault. */
    vault: Address | null
    vault_id: Hash | null
    /** Uses up the id instead of paying it. */
    is_void: Generated<boolean>
  }
  vault_payments: {
    chain_id: bigint
    vault: Address
    id: Hash
    wallet: Address
    micro: Usdt
    block: bigint
    tx_hash: Hash
    happened_at: Date
    recorded_at: Generated<Date>
  }
  vault_voids: {
    chain_id: bigint
    vault: Address
    id: Hash
    block: bigint
    tx_hash: Hash
    recorded_at: Generated<Date>
  }
  vault_calls: {
    chain_id: bigint
    wallet: Address
    nonce: bigint
    vault: Address
    kind: 'publish' | 'tree' | 'colour' | 'audit' | 'sweep'
    value: Buffer
    signed_at: Generated<Date>
    closed_at: Date | null
    succeeded: boolean | null
  }
  vault_call_attempts: Attempt
  chain_key_places: { role: SignerRole; address: Address; place: string; host: string; seen_at: Generated<Date> }
  chain_deposit_addresses: {
    address: Address
    chain_id: bigint
    vault: Address
    user_number: number
    /** The wallet that the address commits to: the user's when they asked for it. */
    wallet: Address
    asked_at: Generated<Date>
    read_at: Date | null
    tx: Generated<bigint>
  }
  chain_wallets: { chain_id: bigint; address: Address; added_at: Generated<Date> }
  chain_treasury: {
    chain_id: bigint
    wallet: Address
    nonce: bigint
    tx_hash: Hash
    raw: Hash
    booked_at: Generated<Date>
  }
  chain_payout_attempts: Attempt & { gas_max: bigint }
  chain_bookings: {
    payment_id: string
    kind: string | null
    reference: string | null
    amount: bigint
    remainder_wei: Wei
    claim_id: string | null
    booked_at: Generated<Date>
  }
}
