import { useCallback, useEffect, useRef, useState } from 'react'
import type { Day } from '../../protocol/time.ts'
import { type Gain, wellness } from '../../protocol/wellness.ts'
import { IMPORT_BATCH_DAYS } from '../../protocol/wellness-day.ts'
import { call } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { readInWorker } from './import/start-worker.ts'
import type { ImportResult } from './import/totals.ts'

export type ImportState =
  | { step: 'idle' }
  | { step: 'reading'; share: number; name: string }
  | { step: 'found'; result: ImportResult; name: string }
  | { step: 'sending'; share: number }
  | { step: 'done'; added: number; days: number }
  | { step: 'refused'; message: string }

/** Reads a file, shows what it contains, and sends it in batches after confirmation. The import is idempotent. */
export function useImport(today: Day, onGain: (gain: Gain, message: string) => void) {
  const [state, setState] = useState<ImportState>({ step: 'idle' })
  const reading = useRef<AbortController>(undefined)
  const stop = useCallback(() => reading.current?.abort(), [])
  useEffect(() => stop, [stop])

  async function choose(file: File): Promise<void> {
    stop()
    const controller = new AbortController()
    reading.current = controller
    setState({ step: 'reading', share: 0, name: file.name })
    const onProgress = (share: number) => setState({ step: 'reading', share, name: file.name })
    try {
      const result = await readInWorker({ file, today }, onProgress, controller.signal)
      setState({ step: 'found', result, name: file.name })
    } catch (error) {
      if (controller.signal.aborted) setState({ step: 'idle' })
      else setState({ step: 'refused', message: (error as Error).message })
    }
  }

  async function send({ source, days }: ImportResult): Promise<void> {
    let [sent, added] = [0, 0]
    let gain: Gain | undefined
    setState({ step: 'sending', share: 0 })
    try {
      while (sent < days.length) {
        const batch = days.slice(sent, sent + IMPORT_BATCH_DAYS)
        const reply = await call(wellness.import, { source, days: batch })
        // The newest days go first, so the first batch is the one that closes rings.
        gain ??= reply.gain
        added += reply.added
        sent += batch.length
        setState({ step: 'sending', share: sent / days.length })
      }
      setState({ step: 'done', added, days: days.length })
      if (gain && gain.closed.length > 0) onGain(gain, `Ring closed! +${gain.points} points`)
    } catch (error) {
      const rest = sent > 0 ? ` ${sent} days were imported. Choose the file again to import the rest.` : ''
      setState({ step: 'refused', message: `${(error as Error).message}${rest}` })
    }
    for (const { path } of [wellness.today, wellness.history, wellness.friends])
      void queries.invalidateQueries({ queryKey: [path] })
  }

  return { state, choose, send, stop, reset: () => setState({ step: 'idle' }) }
}
