import { AppError } from '../../../protocol/errors.ts'
import type { Day } from '../../../protocol/time.ts'
import { readExportFile } from './read-file.ts'
import type { ImportResult } from './totals.ts'

export type WorkerRequest = { file: File; today: Day }
export type WorkerReply =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; result: ImportResult }
  | { kind: 'refused'; message: string }

const PROGRESS_STEP = 0.01

/** Reads the file off the main thread, so the page stays responsive even with half a gigabyte. */
self.onmessage = async ({ data }: MessageEvent<WorkerRequest>) => {
  const send = (reply: WorkerReply) => self.postMessage(reply)
  let reported = 0
  try {
    const result = await readExportFile(data.file, data.today, (share) => {
      if (share - reported < PROGRESS_STEP) return
      reported = share
      send({ kind: 'progress', share })
    })
    send({ kind: 'done', result })
  } catch (error) {
    const message = error instanceof AppError ? error.message : 'This file could not be read. Nothing was imported.'
    send({ kind: 'refused', message })
  }
}
