import type pg from 'pg'

/** A tree with a spine of `SPINE` levels, a hub with `HUB` direct referrals, and all other users at random places. */
const SPINE = 30
const HUB = 50_000
const BATCH = 20_000

export type Tree = {
  users: number
  hub: number
  deep: number
  teamOf(members: number): number
  sampleOf(count: number): number[]
}

/** Inserts users, team totals and plan accounts directly: the benchmark needs the tree's shape, not its history. */
export async function growTree(client: pg.Client, users: number): Promise<Tree> {
  const parents = new Int32Array(users + 1)
  const depths = new Uint8Array(users + 1)
  const random = generator(42)
  for (let number = 2; number <= users; number++) {
    parents[number] = parentOf(number, random)
    depths[number] = (depths[parents[number] ?? 0] ?? 0) + 1
  }
  const members = new Int32Array(users + 1)
  const direct = new Int32Array(users + 1)
  for (let number = 2; number <= users; number++) {
    const parent = parents[number] ?? 0
    direct[parent] = (direct[parent] ?? 0) + 1
    for (let above = parent; above > 0; above = parents[above] ?? 0) members[above] = (members[above] ?? 0) + 1
  }
  await client.query('set session_replication_role = replica')
  for (let first = 1; first <= users; first += BATCH)
    await insertBatch(client, parents, members, direct, first, Math.min(users, first + BATCH - 1))
  await client.query(`insert into team_levels (user_number, depth, members, active, volume)
    select ancestor, cardinality(path) - place, count(*), count(*), count(*) * 250000000
    from users, unnest(path) with ordinality as step (ancestor, place) where place < cardinality(path) group by 1, 2`)
  await client.query('set session_replication_role = origin')
  await client.query(`select setval('users_number_seq', ${users})`)
  await client.query('vacuum analyze users, team_totals, team_levels, ledger_accounts')
  return {
    users,
    hub: SPINE + 1,
    deep: SPINE,
    teamOf: (wanted) => closest(members, wanted),
    sampleOf: (count) => Array.from({ length: count }, () => 1 + Math.floor(random() * users)),
  }
}

// The spine is one long chain. The hub is a child of the root and has its direct referrals below it. All other users
// get a random sponsor outside the hub.
function parentOf(number: number, random: () => number): number {
  if (number <= SPINE) return number - 1
  if (number === SPINE + 1) return 1
  if (number <= SPINE + 1 + HUB) return SPINE + 1
  const outsideHub = number - 1 - HUB
  const pick = 1 + Math.floor(random() * random() * outsideHub)
  return pick <= SPINE + 1 ? pick : pick + HUB
}

const pathOf = (parents: Int32Array, number: number): number[] => {
  const path: number[] = []
  for (let at = number; at > 0; at = parents[at] ?? 0) path.unshift(at)
  return path
}

async function insertBatch(
  client: pg.Client,
  parents: Int32Array,
  members: Int32Array,
  direct: Int32Array,
  first: number,
  last: number,
) {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  await client.query(
    `insert into users (id, number, username, wallet_address, referral_code, sponsor_number, path)
     select gen_random_uuid(), n, 'user_' || n, '0x' || lpad(to_hex(n), 40, '0'), lpad(upper(to_hex(n)), 8, '0'), nullif(parent, 0), path::int[]
     from unnest($1::int[], $2::int[], $3::text[]) as u (n, parent, path)`,
    [numbers, numbers.map((n) => parents[n] ?? 0), numbers.map((n) => `{${pathOf(parents, n).join(',')}}`)],
  )
  await client.query(
    `insert into ledger_accounts (id, balance) select n::bigint * 16, (n % 500) * 1000000 from unnest($1::int[]) as u (n)`,
    [numbers],
  )
  await client.query(
    `insert into team_totals (user_number, direct, members, active, volume)
     select n, d, m, m, m::bigint * 250000000 from unnest($1::int[], $2::int[], $3::int[]) as u (n, d, m) where m > 0`,
    [numbers, numbers.map((n) => direct[n] ?? 0), numbers.map((n) => members[n] ?? 0)],
  )
}

function closest(members: Int32Array, wanted: number): number {
  let best = 1
  for (let number = 1; number < members.length; number++)
    if (Math.abs((members[number] ?? 0) - wanted) < Math.abs((members[best] ?? 0) - wanted)) best = number
  return best
}

/** mulberry32 with a fixed seed, so every run builds the same tree. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
