import { MessageCircle, PenLine } from 'lucide-react'
import { useState } from 'react'
import type { Id } from '../../protocol/ids.ts'
import { type SupportRequest, support } from '../../protocol/support.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dateText } from '../../ui/format.ts'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { NewRequest } from './new-request.tsx'
import { Thread } from './thread.tsx'

const states: Record<SupportRequest['state'], { text: string; tone: Tone }> = {
  open: { text: 'Waiting for our reply', tone: 'gold' },
  answered: { text: 'Answered', tone: 'leaf' },
  closed: { text: 'Closed', tone: 'ink' },
}

/** The user's support requests and their state. */
export function Requests({ onUrgent }: { onUrgent: (urgent: boolean) => void }) {
  const [shown, setShown] = useState<Id<'request'> | 'new'>()
  const requests = useRead(support.requests, { page_no: 1 })
  const close = () => setShown(undefined)
  return (
    <Card className="grid gap-4" aria-label="Support requests">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="text-xl">Write to us</h2>
          <p className="mt-1 text-soft">A real person reads it. You'll see the answer here.</p>
        </div>
        <Button icon={<PenLine size={18} aria-hidden="true" />} onClick={() => setShown('new')}>
          New request
        </Button>
      </div>
      {requests.isLoadingError ? (
        <FailedRead error={requests.error} onRetry={() => requests.refetch()} />
      ) : !requests.data ? (
        <div className="min-h-[254px]">
          <SkeletonText />
        </div>
      ) : requests.data.data.length === 0 ? (
        <Empty title="No requests yet" icon={<MessageCircle aria-hidden="true" />}>
          Ask us about your health, your account, the games or your money.
        </Empty>
      ) : (
        <ul className="grid divide-y divide-line">
          {requests.data.data.map((request) => (
            <li key={request.id}>
              <RequestLine request={request} onOpen={() => setShown(request.id)} />
            </li>
          ))}
        </ul>
      )}
      <NewRequest open={shown === 'new'} onClose={close} onSent={setShown} onUrgent={onUrgent} />
      {shown && shown !== 'new' && <Thread id={shown} onClose={close} onUrgent={onUrgent} />}
    </Card>
  )
}

function RequestLine({ request, onOpen }: { request: SupportRequest; onOpen: () => void }) {
  const { subject, state, updated_at, messages } = request
  return (
    <button
      type="button"
      onClick={onOpen}
      className="-mx-2 flex min-h-16 w-[calc(100%+1rem)] items-center gap-3 rounded-inner px-2 py-3 text-left transition hover:bg-sunken"
    >
      <span className="grid min-w-0 grow leading-snug">
        <span className="truncate font-semibold">{subject}</span>
        <span className="figures text-faint text-sm">
          {dateText(updated_at)} · {messages} {messages === 1 ? 'message' : 'messages'}
        </span>
      </span>
      <Badge tone={states[state].tone}>{states[state].text}</Badge>
    </button>
  )
}
