import { network } from './network.ts'
import type { Routes } from './route.ts'
import { users } from './users.ts'

/** THE route table: every call the API answers, by feature. A feature enters when it is implemented. */
export const routes = { users, network } as const satisfies Record<string, Routes>
