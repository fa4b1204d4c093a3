import { restartUnderLoad } from '../rolling/suite.ts'
import { startLoad } from './load.ts'
import { type Log, type Result, withScene } from './scene.ts'

/** Restarts the API processes in turn, while callers read, move money and keep event streams open through HAProxy. */
export function runRolling(restarts: number, log: Log): Promise<Result> {
  return withScene(log, async ({ product }, scene, replies) => {
    const load = startLoad(scene, restarts)
    replies.begin()
    const restart = (number: number) => product.restartApi(number % product.apis.length)
    const { failed, line } = await restartUnderLoad({ restarts, port: product.port, restart, log })
    await load.stop()
    const calls = `money calls=${scene.model.intents.length} failed=${replies.failed.length}`
    return { wrong: [...failed, ...replies.failed], line: `${line}, ${calls}` }
  })
}
