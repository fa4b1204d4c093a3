import { finishDue } from '../colour/runner.ts'
import { createContext } from '../context.ts'
import { readConfig } from '../platform/config.ts'

/** A process of its own that finishes rounds until it is killed. A test starts it with the settings it needs. */
const { context } = createContext(readConfig(), 'colour-worker')
process.stdout.write('ready\n')
for (;;) await finishDue(context)
