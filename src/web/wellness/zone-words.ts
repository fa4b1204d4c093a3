import { canonicalZone, offsetMinutes, UTC } from '../../protocol/time-zones.ts'

type WithTemporal = { Temporal?: { Now: { timeZoneId: () => string } } }

/** Temporal answers at once. Formats load the browser's tables of languages, which takes a phone 100 ms. */
const readClockZone = (): string =>
  (globalThis as WithTemporal).Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** This device's time zone, by the same name that `canonicalZone` gives the stored one. */
export const readDeviceZone = (): string => canonicalZone(readClockZone()) ?? UTC

/** Equal names are compared first, because asking for the engine's own name is slow. */
export const isDeviceZone = (zone: string): boolean =>
  zone === readClockZone() || canonicalZone(zone) === readDeviceZone()

/** "America/New_York" is "New York". */
export const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

/** "America/New York (UTC−5)", with today's offset. */
export function zoneText(zone: string, now: Date): string {
  const offset = offsetMinutes(zone, now)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const difference = offset === 0 ? '' : `${offset < 0 ? '−' : '+'}${hours}${minutes ? `:${minutes}` : ''}`
  return zone === UTC ? UTC : `${zone.replaceAll('_', ' ')} (UTC${difference})`
}
