import { History, UserRound, Zap } from 'lucide-react'
import { useState } from 'react'
import { balance, type Details } from '../../protocol/balance.ts'
import { smaller } from '../../protocol/money.ts'
import type { Terms } from '../../protocol/terms.ts'
import { TRANSFER_NOTE_MAX } from '../../protocol/transfers.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Ring } from '../../ui/ring.tsx'
import { useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import { MaturityNote } from '../shared/money/maturity-note.tsx'
import { MoneyForm, WithBalances } from '../shared/money/money-page.tsx'
import { fullestSource, type Source, SourcePicker } from '../shared/money/source-picker.tsx'
import { HeadLink, PageHead } from '../shared/page/page-head.tsx'
import { TermsNotice } from '../shared/terms/terms-notice.tsx'
import { useWithTerms } from '../shared/terms/use-terms.ts'
import { AddMissing } from './add-missing.tsx'
import { RecentTransfers } from './recent-transfers.tsx'
import { TransferDialog } from './transfer-dialog.tsx'
import { balancesOf, refresh, sendableOf, useTransfer } from './use-transfer.ts'

const refreshNow = () => void refresh()

/** Sends USDT to another user inside the product, immediately and without a fee. */
export function TransferPage() {
  const read = useWithTerms(useRead(balance.details, {}))
  useEvent('balance', refreshNow)
  useEvent('resync', refreshNow)
  return (
    <>
      <PageHead
        title="Internal Transfer"
        subtitle="Send USDT to another player instantly, without a fee"
        aside={
          <HeadLink to="/user/internal-transfer-history" icon={History}>
            History
          </HeadLink>
        }
      />
      <TermsNotice about="transfers" />
      <WithBalances read={read}>
        {({ reply, terms }) => <TransferForm details={reply.data} terms={terms} />}
      </WithBalances>
    </>
  )
}

type Flow = ReturnType<typeof useTransfer>

function TransferForm({ details, terms }: { details: Details; terms: Terms }) {
  const balances = balancesOf(details)
  const [source, setSource] = useState<Source>(() => fullestSource(balances))
  const flow = useTransfer({ details, terms, source }, useStoredUser()?.username ?? '')
  return (
    <>
      <MoneyForm
        label="Send"
        onSubmit={() => flow.ready && flow.review()}
        aside={
          <>
            <InstantNotice />
            <RecentTransfers />
          </>
        }
      >
        <Recipient flow={flow} />
        <SourcePicker balances={balances} selected={source} onSelect={setSource} disabled={flow.busy} />
        {source === 'referral' && (
          <MaturityNote matured={details.planreff_matured} maturesAt={details.planreff_matures_at} />
        )}
        <AmountField
          label="Amount"
          value={flow.text}
          onChange={flow.changeAmount}
          min={terms.transferMin}
          max={smaller(sendableOf(details)[source], terms.transferMax)}
          error={flow.complaint}
          disabled={flow.busy}
        />
        <AddMissing missing={source === 'wallet' ? flow.missing : undefined} onDone={refreshNow} />
        <Field label="Note" hint={`Optional. ${flow.note.length} of ${TRANSFER_NOTE_MAX} characters`}>
          {(control) => (
            <TextInput
              {...control}
              value={flow.note}
              maxLength={TRANSFER_NOTE_MAX}
              onChange={(event) => flow.setNote(event.target.value)}
              placeholder="For the morning run"
            />
          )}
        </Field>
        <Button type="submit" size="l" wide disabled={!flow.ready} busy={flow.busy}>
          Send
        </Button>
      </MoneyForm>
      <TransferDialog flow={flow} source={source} />
    </>
  )
}

const InstantNotice = () => (
  <Card weight="quiet" className="flex items-start gap-3 text-sm text-soft">
    <Zap size={18} className="mt-0.5 shrink-0 text-leaf-ink" aria-hidden="true" />
    <p>
      The money arrives in the other player's wallet balance instantly, and you can't undo it. Check the name and level
      before you confirm.
    </p>
  </Card>
)

/** The recipient field. Shows name and level as soon as the username is found. */
function Recipient({ flow }: { flow: Flow }) {
  const { found, problem, searching } = flow.recipient
  return (
    <div>
      <Field label="To" hint="Their exact username" error={problem}>
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
        {searching && (
          <div className="mt-3">
            <Ring size={22} stroke={3} label="Looking for this user" />
          </div>
        )}
        {found && (
          <p className="mt-3 flex animate-fade items-center gap-3 rounded-inner bg-leaf-tint p-3 text-leaf-ink">
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
