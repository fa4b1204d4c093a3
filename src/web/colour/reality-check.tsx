import { useState } from 'react'
import { colour } from '../../protocol/colour.ts'
import { RETURN_PERCENT } from '../../protocol/colour-odds.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { moneyText } from '../../ui/format.ts'
import { useRead } from '../shared/api/api.ts'
import { ExclusionDialog } from './exclusion-dialog.tsx'

const SEEN = 'colour-reality-check'

/** The player is reminded each time they have played this long without a break. */
const REMINDER_MINUTES = 60

/** A reminder after every hour of play: time played, net result, and a button to take a break. */
export function RealityCheck({ nowMs }: { nowMs: number }) {
  const limits = useRead(colour.limits, {})
  const [seen, setSeen] = useState(() => sessionStorage.getItem(SEEN) ?? '')
  const [isLeaving, setLeaving] = useState(false)
  const { playing_since: since = null, playing_net: net } = limits.data?.data ?? {}
  const minutes = since === null ? 0 : Math.floor((nowMs - since.getTime()) / 60_000)
  const hours = Math.floor(minutes / REMINDER_MINUTES)
  const key = `${since?.getTime()} ${hours}`
  const isDue = hours > 0 && seen !== key && net !== undefined
  const goOn = () => {
    sessionStorage.setItem(SEEN, key)
    setSeen(key)
  }
  return (
    <>
      <Dialog
        open={isDue && !isLeaving}
        onClose={goOn}
        title="Time for a break?"
        actions={
          <>
            <Button variant="quiet" onClick={() => setLeaving(true)}>
              Take a break
            </Button>
            <Button onClick={goOn}>Keep playing</Button>
          </>
        }
      >
        <p className="text-lg">
          You have been playing for <strong className="text-ink">{minutes} minutes</strong>.{' '}
          {net !== undefined && <strong className="text-ink">{netWords(net)}</strong>}
        </p>
        <p className="mt-3">
          Every bet costs {String(100n - RETURN_PERCENT)}% on average, whatever came before. A walk is free.
        </p>
      </Dialog>
      <ExclusionDialog
        open={isLeaving}
        onClose={() => {
          setLeaving(false)
          goOn()
        }}
      />
    </>
  )
}

function netWords(net: bigint): string {
  if (net === 0n) return 'You broke even.'
  const amount = `${moneyText((net < 0n ? -net : net) as Parameters<typeof moneyText>[0])} USDT`
  return net > 0n ? `You gained ${amount}.` : `You lost ${amount}.`
}
