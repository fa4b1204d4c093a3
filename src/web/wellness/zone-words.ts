import { canonicalZone, offsetMinutes, UTC } from '../../protocol/time-zones.ts'

type WithTemporal = { Temporal?: { Now: { timeZoneId: () => string } } }

/**
 * This device's time zone. Temporal answers at once where it exists. A date format loads the browser's tables of languages,
 * which takes a phone 100 ms.
 */
export function readDeviceZone(): string {
  const { Temporal } = globalThis as WithTemporal
  const name = Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  // Without a zone, devices name their offset: "+05:30".
  return /^[A-Za-z]/.test(name) ? name : UTC
}

/** A zone can have an old and a new name. Equal names are compared first, because asking for the engine's own is slow. */
export function isDeviceZone(zone: string): boolean {
  const device = readDeviceZone()
  return zone === device || canonicalZone(zone) === (canonicalZone(device) ?? UTC)
}

/** "America/New_York" is "New York". */
export const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

/** "America/New York (UTC−5)", with today's offset. */
export function zoneText(zone: string, now: Date): string {
  const offset = offsetMinutes(zone, now)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const difference = offset === 0 ? '' : `${offset < 0 ? '−' : '+'}${hours}${minutes ? `:${minutes}` : ''}`
  return zone === UTC ? UTC : `${zone.replaceAll('_', ' ')} (UTC${difference})`
}
