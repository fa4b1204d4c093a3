import type { Routes } from './route.ts'

/** THE route table: every call the API answers, by feature. A feature enters when it is implemented. */
export const routes = {} as const satisfies Record<string, Routes>
