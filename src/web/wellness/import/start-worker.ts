import type { ImportResult } from './totals.ts'
import type { WorkerReply, WorkerRequest } from './worker.ts'
import workerUrl from './worker.ts?worker&url'

type Policy = { createScriptURL(url: string): string }
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy }

// The Content Security Policy requires Trusted Types. This policy allows only our worker's URL.
const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
const rules: Policy = {
  createScriptURL(url) {
    if (url !== workerUrl) throw new TypeError('Not the import worker')
    return url
  },
}
const policy = trustedTypes?.createPolicy('wellplay-import', rules) ?? rules

/** Reads the file in a worker. Aborting the signal terminates the worker. */
export function readInWorker(
  request: WorkerRequest,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(policy.createScriptURL(workerUrl), { type: 'module' })
    const end = () => worker.terminate()
    signal.addEventListener('abort', () => {
      end()
      reject(new DOMException('Stopped', 'AbortError'))
    })
    worker.onerror = () => {
      end()
      reject(new Error('This file could not be read. Nothing was imported.'))
    }
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      if (data.kind === 'progress') return onProgress(data.share)
      end()
      if (data.kind === 'done') resolve(data.result)
      else reject(new Error(data.message))
    }
    worker.postMessage(request)
  })
}
