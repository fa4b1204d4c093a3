import { useState } from 'react'
import { Link } from 'react-router'
import { withdrawals } from '../../../protocol/withdrawals.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useRead } from '../api/api.ts'
import { fullestSource, type Source } from '../money/source-picker.tsx'
import { FailedRead } from '../page/failed-read.tsx'
import { type Terms, useWithdrawal } from './use-withdrawal.ts'
import { WithdrawalDialog } from './withdrawal-dialog.tsx'
import { WithdrawalFields } from './withdrawal-fields.tsx'

type WithdrawSheetProps = { open: boolean; onClose: () => void }

/** The one way to withdraw without leaving the page: the same fields, rules and signature as on the Withdrawal page. */
export function WithdrawSheet({ open, onClose }: WithdrawSheetProps) {
  const { data, error, refetch } = useRead(withdrawals.terms, {}, { enabled: open })
  if (open && data) return <WithLimits limits={data.data} onClose={onClose} />
  return (
    <Dialog open={open} onClose={onClose} title="Withdraw">
      {error ? <FailedRead error={error} onRetry={refetch} /> : <Skeleton className="h-80" />}
    </Dialog>
  )
}

function WithLimits({ limits, onClose }: { limits: Terms; onClose: () => void }) {
  const [source, setSource] = useState<Source>(() => fullestSource(limits))
  const flow = useWithdrawal(limits, source)
  if (flow.done) return <Requested onClose={onClose} />
  return (
    <>
      <Dialog open={flow.stage === 'edit'} onClose={onClose} title="Withdraw">
        <form
          noValidate
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            if (flow.ready) flow.review()
          }}
        >
          <WithdrawalFields limits={limits} flow={flow} source={source} onSource={setSource} />
        </form>
      </Dialog>
      <WithdrawalDialog flow={flow} source={source} limits={limits} />
    </>
  )
}

const Requested = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Withdrawal requested">
    <p>
      Your money is on its way to your wallet.{' '}
      <Link
        to="/user/withdrawal-history"
        onClick={onClose}
        className="font-semibold text-primary underline underline-offset-4"
      >
        Follow it in your history
      </Link>
    </p>
  </Dialog>
)
