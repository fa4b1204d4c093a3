import { canonicalZone, offsetMinutes, UTC } from '../../protocol/time-zones.ts'

/** This device's time zone, by the same name that `canonicalZone` gives the stored one. */
export const readDeviceZone = (): string => canonicalZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? UTC

export const isDeviceZone = (zone: string): boolean => canonicalZone(zone) === readDeviceZone()

/** "America/New_York" is "New York". */
export const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

/** "America/New York (UTC−5)", with today's offset. */
export function zoneText(zone: string, now: Date): string {
  const offset = offsetMinutes(zone, now)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const difference = offset === 0 ? '' : `${offset < 0 ? '−' : '+'}${hours}${minutes ? `:${minutes}` : ''}`
  return zone === UTC ? UTC : `${zone.replaceAll('_', ' ')} (UTC${difference})`
}
