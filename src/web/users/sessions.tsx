import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { deviceName } from '../../protocol/device.ts'
import { users } from '../../protocol/users.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { dateTimeText } from '../../ui/format.ts'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { clearStorage } from '../shared/api/stored-user.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'

/** The account's sessions, with a button to end them all. */
export function Sessions() {
  const sessions = useRead(users.sessions, {})
  const [asking, setAsking] = useState(false)
  return (
    <Card className="grid gap-5">
      <h2 className="text-xl">Signed-in devices</h2>
      {sessions.isLoadingError ? (
        <FailedRead error={sessions.error} onRetry={() => sessions.refetch()} />
      ) : !sessions.data ? (
        <div className="flex items-center gap-4">
          <Skeleton className="size-11 shrink-0 rounded-full" />
          <div className="grow">
            <SkeletonText lines={2} />
          </div>
        </div>
      ) : (
        <ul className="grid gap-4">
          {sessions.data.data.map(({ device, created_at, seen_at, current }) => (
            <li key={created_at.getTime()} className="flex items-center gap-4">
              <span className="grid size-11 shrink-0 place-items-center rounded-full bg-sunken text-soft">
                <MonitorSmartphone size={20} aria-hidden="true" />
              </span>
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  {deviceName(device)}
                  {current && <Badge>This device</Badge>}
                </p>
                <p className="text-faint text-sm">Last active {dateTimeText(seen_at)}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Button variant="danger" className="w-fit" onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      <EndAll open={asking} onClose={() => setAsking(false)} />
    </Card>
  )
}

function EndAll({ open, onClose }: { open: boolean; onClose: () => void }) {
  const end = useCall(users.logoutEverywhere)
  const confirm = () =>
    end.mutate(
      {},
      {
        onSuccess: () => {
          clearStorage()
          location.replace('/')
        },
        onError: ({ message }) => notify.error(message),
      },
    )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      locked={end.isPending}
      title="Sign out everywhere?"
      actions={
        <>
          <Button variant="quiet" disabled={end.isPending} onClick={onClose}>
            Stay signed in
          </Button>
          <Button variant="danger" busy={end.isPending} onClick={confirm}>
            Sign out
          </Button>
        </>
      }
    >
      Every device, including this one, must sign in again with your wallet. Your balances and plans are not affected.
    </Dialog>
  )
}
