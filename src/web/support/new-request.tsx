import { useState } from 'react'
import type { Id } from '../../protocol/ids.ts'
import { SUPPORT_SUBJECT_CHARS_MAX, SUPPORT_TEXT_CHARS_MAX, SUPPORT_TOPICS, support } from '../../protocol/support.ts'
import { asksForHelp } from '../../protocol/support-crisis.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { controlClass, Field, TextInput } from '../../ui/field.tsx'
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

/** A subject and a few words. Words that ask for help bring people who give it, before anything is sent. */
export function NewRequest({ open, onClose, onSent, onUrgent }: NewRequestProps) {
  const [topic, setTopic] = useState<Topic>('health')
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const send = useCall(support.open)
  const isUrgent = asksForHelp(`${subject} ${text}`)
  const leave = () => {
    if (isUrgent) onUrgent(true)
    onClose()
  }
  const submit = () =>
    send.mutate(
      { topic, subject, text },
      {
        onSuccess: ({ request, Msg }) => {
          notify.success(Msg)
          onUrgent(request.urgent)
          setSubject('')
          setText('')
          void queries.invalidateQueries({ queryKey: [support.requests.path] })
          onSent(request.id)
        },
      },
    )
  const errorOf = (field: string) => (send.error?.field === field ? send.error.message : undefined)
  return (
    <Dialog
      open={open}
      onClose={leave}
      title="Write to us"
      locked={send.isPending}
      actions={
        <Button onClick={submit} busy={send.isPending} disabled={!subject.trim() || !text.trim()}>
          Send
        </Button>
      }
    >
      <div className="grid gap-4">
        {isUrgent && <CrisisCard />}
        <Field label="About">
          {(control) => (
            <Select
              {...control}
              value={topic}
              onChange={(event) => setTopic(event.target.value as Topic)}
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
              onChange={(event) => setSubject(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Your message"
          error={errorOf('text') ?? (send.error && !send.error.field ? send.error.message : undefined)}
        >
          {(control) => (
            <textarea
              {...control}
              value={text}
              rows={5}
              maxLength={SUPPORT_TEXT_CHARS_MAX}
              onChange={(event) => setText(event.target.value)}
              className={`${controlClass} h-auto resize-y py-3`}
            />
          )}
        </Field>
      </div>
    </Dialog>
  )
}
