import { setTimeout as sleep } from 'node:timers/promises'

const BLOCK_MS = 400

export type Miner = ReturnType<typeof keepMining>

/** Mines blocks continuously, except while `alone` runs other work. */
export function keepMining(mine: () => Promise<void>) {
  let isStopped = false
  let turn: Promise<unknown> = Promise.resolve()
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mineTurn = turn.then(work)
    turn = mineTurn.catch(() => {})
    return mineTurn
  }
  const running = (async () => {
    while (!isStopped) {
      await alone(mine).catch(() => {})
      await sleep(BLOCK_MS)
    }
  })()
  return {
    alone,
    async stop(): Promise<void> {
      isStopped = true
      await running
    },
  }
}
