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

/** Reads a file beside the page, which stays smooth even with half a gigabyte. */
self.onmessage = async ({ data }: MessageEvent<WorkerRequest>) => {
  const tell = (reply: WorkerReply) => self.postMessage(reply)
  let told = 0
  try {
    const result = await readExportFile(data.file, data.today, (share) => {
      if (share - told < PROGRESS_STEP) return
      told = share
      tell({ kind: 'progress', share })
    })
    tell({ kind: 'done', result })
  } catch (error) {
    const message = error instanceof AppError ? error.message : 'This file could not be read. Nothing was imported.'
    tell({ kind: 'refused', message })
  }
}
