import { useState } from 'react'
import { deletion } from '../../protocol/deletion.ts'
import { ZERO } from '../../protocol/money.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { amountText } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { KeptList } from './kept-list.tsx'
import { Obstacles } from './obstacles.tsx'
import { useDeletion } from './use-deletion.ts'

/** Says what stops the deletion, or what it means, and then asks the wallet to sign. Rendered while it is open. */
export function DeletionSheet({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useRead(deletion.preview, {})
  const preview = data?.data
  const givenUp = preview?.given_up ?? ZERO
  const [agrees, setAgrees] = useState(false)
  const { stage, refusal, confirm } = useDeletion(givenUp, () => refetch())
  const isPossible = preview?.obstacles.length === 0
  const busy = stage !== 'edit'
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete your account"
      locked={busy}
      actions={
        <>
          <Button variant="quiet" onClick={onClose} disabled={busy}>
            {isPossible ? 'Keep it' : 'Close'}
          </Button>
          {isPossible && (
            <Button variant="danger" onClick={confirm} busy={busy} disabled={givenUp > ZERO && !agrees}>
              {stage === 'edit' ? 'Sign and delete' : stage === 'sign' ? 'Sign in your wallet' : 'Deleting'}
            </Button>
          )}
        </>
      }
    >
      {preview ? (
        <div className="grid gap-5">
          {isPossible ? <Meaning onClose={onClose} /> : <Obstacles obstacles={preview.obstacles} onLeave={onClose} />}
          {isPossible && givenUp > ZERO && (
            <Switch
              label={`I give up ${amountText(givenUp)} USDT`}
              hint="It is left in your balances and too little to withdraw, or health money that you did not release."
              checked={agrees}
              onChange={setAgrees}
            />
          )}
          <KeptList kept={preview.kept} />
          {refusal && (
            <p role="alert" className="text-coral-ink">
              {refusal}
            </p>
          )}
        </div>
      ) : error ? (
        <FailedRead error={error} onRetry={refetch} />
      ) : (
        <Skeleton className="h-80" />
      )}
    </Dialog>
  )
}

const Meaning = ({ onClose }: { onClose: () => void }) => (
  <>
    <p>
      <strong className="text-ink">This happens at once, and we cannot undo it.</strong> Your name, sign-ins, settings,
      contacts, messages, games and everything you logged are deleted. Links you shared stop working. Other people see
      “Deleted user”. Your wallet can join again later, as a new account.
    </p>
    <button
      type="button"
      onClick={() => {
        onClose()
        document.querySelector('#your-data')?.scrollIntoView({ block: 'center' })
      }}
      className="w-fit rounded py-1 font-semibold text-primary underline underline-offset-4"
    >
      Export your data first
    </button>
  </>
)
