import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from './http-client.ts'

/** Keeps one public request in flight on each connection until told to stop. Runs in its own thread. */
const { port, connections, paths } = workerData as { port: number; connections: number; paths: string[] }

let answered = 0
let running = true
parentPort?.once('message', () => {
  running = false
})

async function repeat(at: number): Promise<void> {
  const { get, close } = await openConnection(port)
  const path = paths[at % paths.length] ?? ''
  while (running) {
    const status = await get(path)
    if (status !== 200) throw new Error(`${path} returned status ${status}`)
    if (++answered === 5 * connections) parentPort?.postMessage(answered)
  }
  close()
}

await Promise.all(Array.from({ length: connections }, (_, at) => repeat(at)))
parentPort?.postMessage(answered)
parentPort?.close()
