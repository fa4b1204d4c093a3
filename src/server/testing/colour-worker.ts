import { createContext } from '../context.ts'
import { finishDue } from '../features/colour/runner.ts'
import { readConfig } from '../platform/config.ts'

/** A process of its own that finishes rounds until it is killed. A test starts it with the settings it needs. */
const { context } = createContext(readConfig(), 'colour-worker')
process.stdout.write('ready\n')
for (;;) await finishDue(context)
