import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { flagReasons, type RewardHold, referrals, refuseAppeal } from '../../protocol/referrals.ts'
import { SUPPORT_TEXT_CHARS_MAX, support } from '../../protocol/support.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { FailedLine } from '../shared/page/failed-read.tsx'

const refresh = () => void queries.invalidateQueries({ queryKey: [referrals.holds.path] })

/** Rewards under review, with the reasons and a way to appeal. Renders nothing if there are none. */
export function Holds() {
  const read = useRead(referrals.holds, { page_no: 1 })
  const [appealing, setAppealing] = useState<RewardHold>()
  const open = (read.data?.data ?? []).filter(({ state, note }) => state === 'held' || note)
  if (read.error && !read.data) return <FailedLine error={read.error} />
  if (open.length === 0) return null
  return (
    <section aria-label="Rewards on hold" className="grid gap-3">
      {open.map((hold) => (
        <HoldCard key={hold.hold_id} hold={hold} onAppeal={() => setAppealing(hold)} />
      ))}
      {appealing && <AppealDialog hold={appealing} onClose={() => setAppealing(undefined)} />}
    </section>
  )
}

const outcomes: Record<RewardHold['state'], string> = {
  held: 'on hold while we review it',
  released: 'released to you',
  forfeited: 'taken back',
}

function HoldCard({ hold, onAppeal }: { hold: RewardHold; onAppeal: () => void }) {
  const isHeld = hold.state === 'held'
  return (
    <article className="grid gap-3 rounded-inner border border-line bg-gold-tint/50 p-4 sm:p-5">
      <h3 className="flex items-start gap-2 font-semibold">
        <Hourglass size={20} className="mt-0.5 shrink-0 text-gold-ink" aria-hidden="true" />
        <span>
          <Money amount={hold.amount} /> {outcomes[hold.state]}
        </span>
      </h3>
      <p className="text-soft text-sm">
        {hold.percent}% of a purchase {hold.level === 1 ? 'directly' : `${hold.level} levels`} below you.
        {isHeld && ' It is still yours unless an operator decides otherwise, but you cannot use it during the review.'}
      </p>
      {isHeld && (
        <ul className="grid gap-1 pl-5 text-soft text-sm">
          {hold.reasons.map((reason) => (
            <li key={reason} className="list-disc">
              {flagReasons[reason]}
            </li>
          ))}
        </ul>
      )}
      {hold.note && <p className="text-sm">The operator wrote: “{hold.note}”</p>}
      {isHeld && hold.appeal_id && (
        <p className="text-sm">
          You appealed.{' '}
          <Link to="/user/healthsupport" className="font-semibold text-primary underline underline-offset-4">
            You'll find the answer in Health Support
          </Link>
        </p>
      )}
      {!refuseAppeal(hold) && (
        <Button variant="outline" size="s" className="w-fit" onClick={onAppeal}>
          Appeal
        </Button>
      )}
    </article>
  )
}

function AppealDialog({ hold, onClose }: { hold: RewardHold; onClose: () => void }) {
  const [text, setText] = useState('')
  const appeal = useCall(support.appeal)
  const send = () =>
    appeal.mutate(
      { hold_id: hold.hold_id, text },
      {
        onSuccess: ({ Msg }) => {
          notify.success(Msg)
          refresh()
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Appeal"
      locked={appeal.isPending}
      actions={
        <Button onClick={send} busy={appeal.isPending} disabled={!text.trim()}>
          Send to the operator
        </Button>
      }
    >
      <Field
        label="What should we know?"
        error={appeal.error?.message}
        hint="Who the account belongs to, and how you know each other."
      >
        {(control) => (
          <TextArea
            {...control}
            rows={5}
            maxLength={SUPPORT_TEXT_CHARS_MAX}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
