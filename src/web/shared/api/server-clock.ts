/** The Date header has whole seconds and travels for a while, so a smaller difference says nothing. */
const DIFFERENCE_MS_MIN = 3_000

let offsetMs = 0

/** Compares the clock of this device with the server's, from the Date header of a reply. */
export function noteServerTime(header: string | null): void {
  const differenceMs = Date.parse(header ?? '') - Date.now()
  if (!Number.isNaN(differenceMs)) offsetMs = Math.abs(differenceMs) < DIFFERENCE_MS_MIN ? 0 : differenceMs
}

/** The time by the server's clock. */
export const serverNowMs = (): number => Date.now() + offsetMs

/** How long ago something happened on the server, even if the clock of this device is wrong. */
export const secondsSince = (at: Date, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs + offsetMs - at.getTime()) / 1_000))
