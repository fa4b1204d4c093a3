import { useState } from 'react'
import { Link } from 'react-router'
import type { Details } from '../../../protocol/balance.ts'
import { colour } from '../../../protocol/colour.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { notify } from '../../../ui/toast.tsx'
import { CallError, call } from '../api/api.ts'
import { FailedLine } from '../page/failed-read.tsx'
import { useOneAtATime } from '../page/use-one-at-a-time.ts'
import { useDetails } from './details.ts'
import { useMoveAmount } from './use-move-amount.ts'

type MoveSheetProps = { open: boolean; onClose: () => void; onMoved: () => void }

/** The one way to move money between the wallet balance and the bet wallet. */
export function MoveSheet({ open, onClose, onMoved }: MoveSheetProps) {
  const { details, error } = useDetails()
  const { isBusy, run } = useOneAtATime()
  return (
    <Dialog open={open} onClose={onClose} title="Move money" locked={isBusy}>
      {details ? (
        <MoveForm details={details} isBusy={isBusy} run={run} onClose={onClose} onMoved={onMoved} />
      ) : error ? (
        <FailedLine error={error} />
      ) : (
        <Skeleton className="h-60" />
      )}
    </Dialog>
  )
}

const directions = [
  { value: 'deposit', label: 'Into the bet wallet' },
  { value: 'withdraw', label: 'Back to my balance' },
] as const
type Direction = (typeof directions)[number]['value']
const labels: Record<Direction, string> = {
  deposit: 'From your wallet balance',
  withdraw: 'From your bet wallet',
}

type MoveFormProps = Omit<MoveSheetProps, 'open'> & {
  details: Details
  isBusy: boolean
  run: (work: () => Promise<void>) => Promise<void>
}

function MoveForm({ details, isBusy, run, onClose, onMoved }: MoveFormProps) {
  const [direction, setDirection] = useState<Direction>('deposit')
  const held = direction === 'deposit' ? details.wallet : details.bet
  const { text, change, amount, error, setAnswer } = useMoveAmount(held)
  const move = async () => {
    if (!amount) return
    try {
      const { Msg } = await call(colour.wallet, { direction, amount, source: 'wallet' })
      notify.success(Msg)
      onMoved()
      onClose()
    } catch (failure) {
      setAnswer(failure instanceof CallError ? failure.message : String(failure))
    }
  }
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void run(move)
      }}
    >
      <Segmented label="Direction" options={directions} value={direction} onChange={setDirection} />
      <AmountField
        label={labels[direction]}
        value={text}
        onChange={change}
        max={held}
        error={error}
        disabled={isBusy}
      />
      <Button type="submit" size="l" wide busy={isBusy} disabled={!amount}>
        Move
      </Button>
      <Link
        to="/user/wallet#bet-wallet-history"
        onClick={onClose}
        className="w-fit font-semibold text-primary text-sm underline underline-offset-4"
      >
        See what you moved so far
      </Link>
    </form>
  )
}
