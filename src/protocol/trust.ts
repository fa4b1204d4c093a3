import { z } from 'zod'
import { attestations } from '../verifier/attestations.ts'
import { VAULT_BALANCES } from '../verifier/vault-tree.ts'
import { userAccounts } from './balance.ts'
import { address, id } from './ids.ts'
import { usdt } from './money.ts'
import { nothing, route, success } from './route.ts'
import { day, instant } from './time.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const pool = z.strictObject({ name: z.string(), balance: usdt, daily_cost: usdt, cover_days: z.int().nullable() })

/** A tree of all balances. Its root is in the vault under `epoch`, and the tree is public: /trust/tree/<epoch>. */
const snapshot = z.strictObject({
  id: id('snapshot'),
  epoch: z.int(),
  taken_on: day,
  taken_at: instant,
  root: hash,
  total: usdt,
  users: z.int(),
})

/** The path of a public tree file: /trust/tree/{epoch}. */
export const treeInput = z.strictObject({
  epoch: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, 'Give the number of an epoch')
    .transform(BigInt),
})

const signature = z.string().regex(/^0x[0-9a-f]{130}$/)
const receipt = z.strictObject(
  Object.fromEntries(attestations.Receipt.map((name) => [name, z.string()])) as Record<
    (typeof attestations.Receipt)[number],
    z.ZodString
  >,
)

export const trust = {
  summary: route({
    method: 'GET',
    path: '/trust/summary/',
    summary: 'Reserves and liabilities, pool cover, withdrawal times, the last audit and the latest snapshot',
    auth: 'none',
    shared: true,
    input: nothing,
    output: success({
      data: z.strictObject({
        /** USDT on chain at the latest finalized block; null while the chain node does not answer. */
        reserves: usdt.nullable(),
        reserves_block: z.int().nullable(),
        /** The time of that block. */
        reserves_at: instant.nullable(),
        /** When the figures below were read. The reply may be sent later, because callers share it. */
        measured_at: instant,
        liabilities: usdt,
        /** The parts of `liabilities`: users' accounts by kind, stakes of open rounds and withdrawals in progress. */
        owed: z.array(z.strictObject({ kind: z.string(), amount: usdt })),
        operator: usdt,
        pools: z.array(pool),
        withdrawals: z.strictObject({
          days: z.int(),
          paid: z.int(),
          median_seconds: z.int().nullable(),
          slowest_seconds: z.int().nullable(),
        }),
        /**
         * Result of the last audit: the numbers of the invariants that hold, are broken, or could not be checked, and
         * when every invariant could last be checked. `seal` is the newest hash over the ledger's history: each one
         * contains the one before it, so a hash that you keep shows later whether history was rewritten. Null before
         * the first audit.
         */
        audit: z
          .strictObject({
            at: instant,
            held: z.array(z.int()),
            broken: z.array(z.int()),
            unchecked: z.array(z.int()),
            complete_at: instant.nullable(),
            seal: z.strictObject({ number: z.int(), hash }).nullable(),
          })
          .nullable(),
        halted: z.string().nullable(),
        /** Set while payouts, but not bets, are paused because not every invariant could be checked since then. */
        payouts_paused_since: instant.nullable(),
        /** The address that signs receipts and snapshots; null if no key is set. */
        operator_address: address.nullable(),
        snapshot: snapshot.nullable(),
        /** The transactions that published its root: usually one. A slow one is sent again with higher fees. */
        root_transactions: z.array(z.string().regex(/^0x[0-9a-f]{64}$/)),
        /** Where others keep copies of the public trees. */
        mirrors: z.array(z.url({ protocol: /^https?$/ })),
        /** How often a root is published at least. */
        snapshot_every_minutes: z.int(),
        history: z.array(z.strictObject({ at: instant, reserves: usdt, liabilities: usdt })),
      }),
    }),
  }),
  halt: route({
    method: 'GET',
    path: '/trust/halt/',
    summary: 'Whether payouts and bets are paused, and why',
    auth: 'none',
    input: nothing,
    output: success({ halted: z.string().nullable() }),
  }),
  proof: route({
    method: 'POST',
    path: '/trust/proof/',
    summary: 'Proof that your balances are in a published root, the latest if none is given, and your leaf key',
    auth: 'user',
    input: z.strictObject({ snapshot: id('snapshot').optional() }),
    output: success({
      data: z.strictObject({
        snapshot,
        leaf: z.strictObject({
          user_id: id('user'),
          wallet: address,
          nonce: z.string().regex(/^[0-9a-f]{32}$/),
          /** What the vault had paid to this wallet, as far as these balances include it. */
          paid: usdt,
          balances: z.array(z.strictObject({ account: z.enum(VAULT_BALANCES), amount: usdt })),
        }),
        siblings: z.array(z.strictObject({ hash, sum: usdt, side: z.enum(['left', 'right']) })),
        /** Opens your leaf in every later tree file, so a proof kept once is enough. */
        leaf_key: hash,
        vault: address,
        /** The operator's signature of the snapshot (EIP-712); null if no key is set. */
        chain_id: z.int(),
        operator: address.nullable(),
        signature: signature.nullable(),
      }),
    }),
    errors: ['not_found'],
  }),
  receipt: route({
    method: 'POST',
    path: '/trust/receipt/',
    summary: "A receipt for a movement of one of your accounts, signed with the operator's key (EIP-712)",
    auth: 'user',
    /** `number` is the entry's number in the statement. */
    input: z.strictObject({ account: z.enum(userAccounts), number: z.int().min(1) }),
    output: success({ data: z.strictObject({ receipt, chain_id: z.int(), operator: address, signature }) }),
    errors: ['not_found', 'unavailable'],
  }),
}
