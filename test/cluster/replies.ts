import type { Answer } from '../faults/client.ts'

export type Replies = ReturnType<typeof watchReplies>

/** What callers got: replies with 500, attempts that failed in any way, and the longest time without a definite reply. */
export function watchReplies() {
  const internalErrors: string[] = []
  const failed: string[] = []
  let last: number | undefined
  let longestMs = 0
  return {
    internalErrors,
    failed,
    longestGapMs: () => longestMs,
    /** Time counts from now on. */
    begin(): void {
      failed.length = 0
      last = performance.now()
    },
    onAnswer(path: string, { status, code }: Answer): void {
      if (status === 500) internalErrors.push(`500 from ${path}: ${code}`)
      if (status >= 500) return void failed.push(`${status} from ${path}: ${code}`)
      if (last === undefined) return
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    },
    onError: (path: string, error: unknown) => void failed.push(`no reply from ${path}: ${error}`),
  }
}
