import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { createProver, type Prover } from './http-proofs.ts'
import { pgbenchTables } from './load.ts'

const USERS = 1_000
/** Each user sends to this many others. */
const FRIENDS = 10

export type Sender = { number: number; token: string; name: string; prove: Prover }

/** Inserts users with a session and money directly: sign-up is not measured here. */
export async function fill(owner: pg.Client): Promise<Sender[]> {
  const senders = Array.from({ length: USERS }, (_, at) => {
    const token = randomBytes(32).toString('base64url')
    return { number: at + 1, token, name: `bench_${at}`, ...createProver(token) }
  })
  const hashes = senders.map(({ token }) => createHash('sha256').update(token).digest())
  await owner.query(
    `insert into users (id, username, wallet_address, referral_code)
     select new_id(), name, '0x' || lpad(to_hex(n), 40, '0'), upper(lpad(to_hex(n), 8, '0'))
     from unnest($1::text[]) with ordinality as u (name, n)`,
    [senders.map(({ name }) => name)],
  )
  await owner.query(
    `insert into sessions (id, user_number, token_hash, proof_key)
     select new_id(), n, h, k from unnest($1::bytea[], $2::jsonb[]) with ordinality as s (h, k, n)`,
    [hashes, senders.map(({ jwk }) => JSON.stringify(jwk))],
  )
  await owner.query(`begin; set local session_replication_role = replica;
    insert into transfers (id, from_number, to_number, source, amount, sent_at, predates_signatures)
    select new_id(), n, (n - 1 + friend) % ${USERS} + 1, 'wallet', 1, now(), true
    from generate_series(1, ${USERS}) n, generate_series(1, ${FRIENDS}) friend; commit`)
  await owner.query('select ledger_open_accounts(number) from users')
  await owner.query(`select ledger_post_one('chain_deposit', new_id(), null, null, ledger_custody(), number * 16 + 3,
    1000000000000) from users`)
  await owner.query(pgbenchTables)
  await owner.query('vacuum analyze')
  return senders
}

/** A transfer between random friends. Each attempt needs a new proof. */
export function pickTransfer(senders: Sender[]) {
  const random = (below: number) => Math.floor(Math.random() * below)
  const [place, friend] = [random(USERS), 1 + random(FRIENDS)]
  const [from, to] = [senders[place] as Sender, senders[(place + friend) % USERS] as Sender]
  return {
    from,
    body: JSON.stringify({ to_user: to.name, amount: '0.01', source: 'wallet' }),
    headers: () => ({ token: from.token, dpop: from.prove('/api/internal_transfer/') }),
  }
}
