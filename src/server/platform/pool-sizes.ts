import type { ProcessName } from './settings.ts'

/** The API's connections for each class of calls (processes/api-databases.ts). */
export const apiPools = (connections: number) => ({
  money: connections,
  read: Math.max(1, Math.floor(connections / 2)),
  public: Math.max(1, Math.floor(connections / 4)),
})

/** How many connections a process opens at most. Each listens for events with one more; the worker's jobs have one. */
export function connectionsOf(name: ProcessName, connections: number): number {
  const { money, read, public: open } = apiPools(connections)
  if (name === 'api') return money + read + open + 1
  return connections + (name === 'worker' ? 2 : 1)
}
