import { useState } from 'react'
import type { Id } from '../../protocol/ids.ts'
import { SUPPORT_SUBJECT_CHARS_MAX, SUPPORT_TEXT_CHARS_MAX, SUPPORT_TOPICS, support } from '../../protocol/support.ts'
import { asksForHelp } from '../../protocol/support-crisis.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea, TextInput } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { CrisisCard } from './crisis-card.tsx'

type Topic = (typeof SUPPORT_TOPICS)[number]
const topicNames: Record<Topic, string> = {
  health: 'Health and challenges',
  account: 'My account',
  money: 'Plans, rewards, withdrawals',
  games: 'Games',
  other: 'Something else',
}

type NewRequestProps = {
  open: boolean
  onClose: () => void
  onSent: (id: Id<'request'>) => void
  onUrgent: (urgent: boolean) => void
}

type Draft = { topic: Topic; subject: string; text: string }
const EMPTY: Draft = { topic: 'health', subject: '', text: '' }

/** The form for a new request. If the draft suggests a crisis, it shows the helplines before anything is sent. */
export function NewRequest({ open, onClose, onSent, onUrgent }: NewRequestProps) {
  const [draft, setDraft] = useState(EMPTY)
  const send = useCall(support.open)
  const isUrgent = asksForHelp(`${draft.subject} ${draft.text}`)
  const leave = () => {
    if (isUrgent) onUrgent(true)
    onClose()
  }
  const submit = () =>
    send.mutate(draft, {
      onSuccess: ({ request, Msg }) => {
        notify.success(Msg)
        onUrgent(request.urgent)
        setDraft({ ...EMPTY, topic: draft.topic })
        void queries.invalidateQueries({ queryKey: [support.requests.path] })
        onSent(request.id)
      },
    })
  return (
    <Dialog
      open={open}
      onClose={leave}
      title="Write to us"
      locked={send.isPending}
      actions={
        <Button onClick={submit} busy={send.isPending} disabled={!draft.subject.trim() || !draft.text.trim()}>
          Send
        </Button>
      }
    >
      <div className="grid gap-4">
        {isUrgent && <CrisisCard />}
        <DraftFields draft={draft} error={send.error} onChange={(change) => setDraft({ ...draft, ...change })} />
      </div>
    </Dialog>
  )
}

type DraftFieldsProps = {
  draft: Draft
  error: { field?: string | undefined; message: string } | null
  onChange: (change: Partial<Draft>) => void
}

/** An error that names no field appears below the message. */
function DraftFields({ draft: { topic, subject, text }, error, onChange }: DraftFieldsProps) {
  const errorOf = (...fields: (string | undefined)[]) =>
    error && fields.includes(error.field) ? error.message : undefined
  return (
    <>
      <Field label="About">
        {(control) => (
          <Select
            {...control}
            value={topic}
            onChange={(event) => onChange({ topic: event.target.value as Topic })}
            options={SUPPORT_TOPICS.map((value) => ({ value, label: topicNames[value] }))}
          />
        )}
      </Field>
      <Field label="Subject" error={errorOf('subject')}>
        {(control) => (
          <TextInput
            {...control}
            value={subject}
            maxLength={SUPPORT_SUBJECT_CHARS_MAX}
            onChange={(event) => onChange({ subject: event.target.value })}
          />
        )}
      </Field>
      <Field label="Your message" error={errorOf('text', undefined)}>
        {(control) => (
          <TextArea
            {...control}
            value={text}
            rows={5}
            maxLength={SUPPORT_TEXT_CHARS_MAX}
            onChange={(event) => onChange({ text: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}
