import { useState } from 'react'
import { UTC } from '../../protocol/time-zones.ts'
import { wellness } from '../../protocol/wellness.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { midnightUtcText } from '../../ui/format.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { FailedLine } from '../shared/page/failed-read.tsx'
import { settleZone } from './use-device-zone.ts'
import { showToday } from './use-today.ts'
import { readDeviceZone, zoneText } from './zone-words.ts'

/** The time zone that challenges, rings and streaks follow. */
export function YourDay() {
  const { data, error } = useRead(wellness.today, {})
  return (
    <Card className="grid gap-4">
      <div>
        <h2 className="text-xl">Your day</h2>
        <p className="mt-1 text-soft">
          Challenges, rings and streaks follow this time zone. When you travel, no streak is lost: a longer day stays
          open, and a shorter one is excused.
        </p>
      </div>
      {data ? (
        <ZoneChoice zone={data.data.zone ?? UTC} />
      ) : error ? (
        <FailedLine error={error} />
      ) : (
        <Skeleton className="h-27 rounded-inner" />
      )}
      <p className="text-faint text-sm">Money keeps UTC for everyone: its days end at {midnightUtcText(new Date())}.</p>
    </Card>
  )
}

function ZoneChoice({ zone }: { zone: string }) {
  const [chosen, setChosen] = useState<string>()
  const change = useCall(wellness.zone)
  const now = new Date()
  // The browser's list has no UTC, and may have other names for some zones than the server.
  const zones = [...new Set([UTC, zone, readDeviceZone(), ...Intl.supportedValuesOf('timeZone')])].toSorted()
  const save = (next: string) =>
    change.mutate(
      { zone: next },
      {
        onSuccess: ({ data, Msg }) => {
          settleZone()
          showToday(data)
          setChosen(undefined)
          notify.success(Msg)
        },
        onError: (error) => notify.error(error.message),
      },
    )
  return (
    <>
      <Field label="Time zone" hint={`This device is on ${zoneText(readDeviceZone(), now)}`}>
        {(control) => (
          <Select
            {...control}
            options={zones.map((value) => ({ value, label: zoneText(value, now) }))}
            value={chosen ?? zone}
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
      </Field>
      {chosen !== undefined && chosen !== zone && (
        <Button onClick={() => save(chosen)} busy={change.isPending}>
          Use this time zone
        </Button>
      )}
    </>
  )
}
