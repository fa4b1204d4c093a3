import type pg from 'pg'
import type { PaymentChain } from '../../src/server/testing/chain.ts'
import type { Client } from './client.ts'
import type { Miner } from './miner.ts'
import type { createModel } from './model.ts'
import type { Person } from './people.ts'

/** What calls and the final comparison need of a running product, whatever its database is. */
export type Scene = {
  settings: Record<string, string>
  owner: pg.Pool
  ownerUrl: string
  chain: PaymentChain
  miner: Miner
  client: Client
  model: ReturnType<typeof createModel>
  people: Person[]
}
