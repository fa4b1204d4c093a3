import { createContext } from '../context.ts'
import { drawDue, finishDue } from '../features/colour/runner.ts'
import { readConfig } from '../platform/config.ts'

/** A separate process that draws and finishes rounds until a test kills it. It reads its settings from the environment. */
const { context } = createContext(readConfig(), 'colour-worker')
process.stdout.write('ready\n')
for (;;) {
  await drawDue(context)
  await finishDue(context)
}
