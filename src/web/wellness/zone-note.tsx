import { Plane } from 'lucide-react'
import { useState } from 'react'
import { type WellnessToday, wellness } from '../../protocol/wellness.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall } from '../shared/api/api.ts'
import { isZoneUndecided, settleZone } from './use-device-zone.ts'
import { showToday } from './use-today.ts'
import { cityOf, readDeviceZone } from './zone-words.ts'

/** Asks which time zone to follow when this device is new and in another one than the user's days. */
export function ZoneNote({ today }: { today: WellnessToday }) {
  const [isSettled, setSettled] = useState(false)
  const change = useCall(wellness.zone)
  const { zone } = today
  if (zone === null || isSettled || !isZoneUndecided(zone)) return null
  const settle = () => {
    settleZone()
    setSettled(true)
  }
  const follow = () =>
    change.mutate(
      { zone: readDeviceZone() },
      {
        onSuccess: ({ data, Msg }) => {
          settle()
          showToday(data)
          notify.success(Msg)
        },
        onError: (error) => notify.error(error.message),
      },
    )
  return (
    <Card aria-label="Your time zone" className="flex flex-wrap items-center gap-4">
      <Plane size={22} aria-hidden="true" className="shrink-0 text-sky" />
      <p className="min-w-60 flex-1">
        Your days follow {cityOf(zone)} time, but this device is on {cityOf(readDeviceZone())} time.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={follow} busy={change.isPending}>
          Use {cityOf(readDeviceZone())}
        </Button>
        <Button variant="outline" onClick={settle} disabled={change.isPending}>
          Keep {cityOf(zone)}
        </Button>
      </div>
    </Card>
  )
}
