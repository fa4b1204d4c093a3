import { useEffect, useRef } from 'react'
import { wellness } from '../../protocol/wellness.ts'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { showToday } from './use-today.ts'
import { cityOf, isDeviceZone, readDeviceZone } from './zone-words.ts'

/** The device's zone when the user's days last followed it, or when the user chose to keep another one. */
const KEY = 'zone'
export const settleZone = (): void => localStorage.setItem(KEY, readDeviceZone())
/** On a new device in another zone: the user has to decide. */
export const isZoneUndecided = (zone: string | null): boolean =>
  zone !== null && !isDeviceZone(zone) && localStorage.getItem(KEY) === null

/**
 * Takes the time zone from the device: for the first time, and when the device has moved. A new device does not change
 * it by itself: a laptop at home must not end the day of its owner abroad. The page asks then (`ZoneNote`).
 */
export function useDeviceZone(): void {
  const zone = useRead(wellness.today, {}).data?.data.zone
  const { mutate } = useCall(wellness.zone)
  const isSent = useRef(false)
  useEffect(() => {
    if (zone === undefined || isSent.current) return
    const follow = () => {
      if (!shouldFollow(zone)) return
      isSent.current = true
      const device = readDeviceZone()
      // A failure changes nothing: the days stay as they are, and the next visit tries again.
      mutate(
        { zone: device },
        {
          onSuccess: ({ data }) => {
            settleZone()
            showToday(data)
            if (zone !== null) notify.neutral(`Your days follow ${cityOf(device)} time now`)
          },
        },
      )
    }
    // In a task of its own, because the first use of time zones is slow.
    const timer = setTimeout(follow)
    return () => clearTimeout(timer)
  }, [zone, mutate])
}

/** Whether the user's days should follow this device: they follow none yet, or the device has moved. */
function shouldFollow(zone: string | null): boolean {
  if (zone === null) return true
  const settled = localStorage.getItem(KEY)
  if (!isDeviceZone(zone)) return settled !== null && !isDeviceZone(settled)
  if (settled !== zone) localStorage.setItem(KEY, zone)
  return false
}
