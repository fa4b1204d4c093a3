import { History, UserRound, Zap } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { balance, type Details } from '../../protocol/balance.ts'
import { smaller } from '../../protocol/money.ts'
import { terms } from '../../protocol/terms.ts'
import { errorTexts } from '../../protocol/texts.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useRead } from '../api.ts'
import { useEvent } from '../events.ts'
import { PageHead } from '../page-head.tsx'
import { fullestSource, type Source, SourcePicker } from '../source-picker.tsx'
import { useStoredUser } from '../stored-user.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { RecentTransfers } from './recent-transfers.tsx'
import { balancesOf, refresh, useTransfer } from './use-transfer.ts'

const refreshNow = () => void refresh()

/** USDT to another user, inside the product: at once and without a fee. */
export function TransferPage() {
  const read = useRead(balance.details, {})
  useEvent('transfer', refreshNow)
  useEvent('balance', refreshNow)
  useEvent('resync', refreshNow)
  return (
    <>
      <PageHead
        title="Internal Transfer"
        subtitle="Send USDT to another player, at once and without a fee"
        aside={
          <Link to="/user/internal-transfer-history" className={buttonClass({ variant: 'outline', size: 's' })}>
            <History size={16} aria-hidden="true" />
            History
          </Link>
        }
      />
      {read.isError && !read.data ? (
        <Card>
          <ErrorState title={errorTexts.details} onRetry={() => read.refetch()} />
        </Card>
      ) : read.data ? (
        <TransferForm details={read.data.data} />
      ) : (
        <Resting />
      )}
    </>
  )
}

type Flow = ReturnType<typeof useTransfer>

function TransferForm({ details }: { details: Details }) {
  const balances = balancesOf(details)
  const [source, setSource] = useState<Source>(() => fullestSource(balances))
  const flow = useTransfer(balances, source, useStoredUser()?.username ?? '')
  return (
    <div className="grid items-start gap-5 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      <Card padding="l" aria-label="Send">
        <form
          className="grid gap-6"
          onSubmit={(event) => {
            event.preventDefault()
            if (flow.ready) flow.review()
          }}
        >
          <Recipient flow={flow} />
          <SourcePicker balances={balances} selected={source} onSelect={setSource} disabled={flow.busy} />
          <AmountField
            label="Amount"
            value={flow.text}
            onChange={flow.changeAmount}
            min={terms.transferMin}
            max={smaller(balances[source], terms.transferMax)}
            error={flow.complaint}
            disabled={flow.busy}
          />
          <Field label="Note" hint={`Optional. ${flow.note.length} of ${terms.transferNoteMax} characters`}>
            {(control) => (
              <TextInput
                {...control}
                value={flow.note}
                maxLength={terms.transferNoteMax}
                onChange={(event) => flow.setNote(event.target.value)}
                placeholder="For the morning run"
              />
            )}
          </Field>
          <Button type="submit" size="l" wide disabled={!flow.ready} busy={flow.busy}>
            Send
          </Button>
        </form>
      </Card>
      <div className="grid gap-5">
        <Card weight="quiet" className="flex items-start gap-3 text-sm text-soft">
          <Zap size={18} className="mt-0.5 shrink-0 text-leaf-ink" aria-hidden="true" />
          <p>
            It arrives in the other player's wallet balance at once and cannot be called back. Check the name and the
            level before you confirm.
          </p>
        </Card>
        <RecentTransfers />
      </div>
      <ConfirmDialog flow={flow} source={source} />
    </div>
  )
}

/** Who gets it: shown by name and level as soon as the name is complete. */
function Recipient({ flow }: { flow: Flow }) {
  const { found, problem, searching } = flow.recipient
  return (
    <div className="grid gap-3">
      <Field label="To" hint="Their username, exactly" error={problem}>
        {(control) => (
          <TextInput
            {...control}
            value={flow.name}
            onChange={(event) => flow.setName(event.target.value.trim().toLowerCase())}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="username"
            disabled={flow.busy}
          />
        )}
      </Field>
      <div aria-live="polite">
        {searching && <Ring size={22} stroke={3} label="Looking for this user" />}
        {found && (
          <p className="flex animate-fade items-center gap-3 rounded-inner bg-leaf-tint p-3 text-leaf-ink">
            <span className="grid size-9 shrink-0 place-items-center rounded-full bg-surface">
              <UserRound size={18} aria-hidden="true" />
            </span>
            <strong className="font-semibold">{found.username}</strong>
            <Badge tone="violet">Level {found.level}</Badge>
          </p>
        )}
      </div>
    </div>
  )
}

function Resting() {
  return (
    <div
      className="grid gap-5 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]"
      role="status"
      aria-label="Loading your balances"
    >
      <Card className="grid gap-5" padding="l">
        <Skeleton className="h-13" />
        <Skeleton className="h-26 rounded-[18px]" />
        <Skeleton className="h-16" />
        <Skeleton className="h-14" />
      </Card>
      <Skeleton className="h-48 rounded-card" />
    </div>
  )
}
