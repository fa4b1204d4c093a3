import { useEffect, useRef, useState } from 'react'
import type { Id } from '../../protocol/ids.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { refuseReply, SUPPORT_TEXT_CHARS_MAX, support } from '../../protocol/support.ts'
import { asksForHelp } from '../../protocol/support-crisis.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { dateTimeText } from '../../ui/format.ts'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { CrisisCard } from './crisis-card.tsx'

type ThreadData = OutputOf<typeof support.thread>
type ThreadProps = { id: Id<'request'>; onClose: () => void; onUrgent: (urgent: boolean) => void }

/** The conversation of one request, with a reply field. */
export function Thread({ id, onClose, onUrgent }: ThreadProps) {
  const thread = useRead(support.thread, { request_id: id })
  return (
    <Dialog open onClose={onClose} title={thread.data?.request.subject ?? 'Your request'}>
      {thread.isLoadingError ? (
        <FailedRead error={thread.error} onRetry={() => thread.refetch()} />
      ) : !thread.data ? (
        <SkeletonText />
      ) : (
        <Conversation thread={thread.data} onUrgent={onUrgent} />
      )}
    </Dialog>
  )
}

function Conversation({ thread, onUrgent }: { thread: ThreadData; onUrgent: (urgent: boolean) => void }) {
  const { request, data } = thread
  const refusal = refuseReply(request)
  const end = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (data.length > 0) end.current?.scrollIntoView({ block: 'nearest' })
  }, [data.length])
  return (
    <div className="grid gap-5">
      {request.urgent && <CrisisCard />}
      <ol className="grid max-h-[45dvh] gap-3 overflow-y-auto">
        {data.map(({ author, text, written_at }, index) => (
          <li
            key={`${author} ${written_at.toISOString()}`}
            ref={index === data.length - 1 ? end : undefined}
            className={`grid max-w-[86%] gap-1 rounded-inner px-4 py-3 ${author === 'user' ? 'justify-self-end bg-leaf-tint' : 'bg-sunken'}`}
          >
            <span className="font-semibold text-faint text-xs">
              {author === 'user' ? 'You' : 'Support'}, {dateTimeText(written_at)}
            </span>
            <span className="whitespace-pre-wrap wrap-anywhere text-ink">{text}</span>
          </li>
        ))}
      </ol>
      {refusal ? (
        <p className="rounded-inner bg-sunken p-4">{refusal.message}</p>
      ) : (
        <Reply id={request.id} onUrgent={onUrgent} />
      )}
    </div>
  )
}

function Reply({ id, onUrgent }: { id: Id<'request'>; onUrgent: (urgent: boolean) => void }) {
  const [text, setText] = useState('')
  const [reply, close] = [useCall(support.reply), useCall(support.close)]
  const refresh = () => {
    for (const { path } of [support.requests, support.thread]) void queries.invalidateQueries({ queryKey: [path] })
  }
  const onError = (error: Error) => notify.error(error.message)
  const send = () =>
    reply.mutate(
      { request_id: id, text },
      {
        onSuccess: ({ request }) => {
          setText('')
          onUrgent(request.urgent)
          refresh()
        },
        onError,
      },
    )
  return (
    <div className="grid gap-3">
      {asksForHelp(text) && <CrisisCard />}
      <Field label="Add a message">
        {(control) => (
          <TextArea
            {...control}
            value={text}
            rows={3}
            maxLength={SUPPORT_TEXT_CHARS_MAX}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Button
          variant="quiet"
          busy={close.isPending}
          onClick={() => close.mutate({ request_id: id }, { onSuccess: refresh, onError })}
        >
          Close request
        </Button>
        <Button onClick={send} busy={reply.isPending} disabled={!text.trim()}>
          Send
        </Button>
      </div>
    </div>
  )
}
