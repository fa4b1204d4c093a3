import {
  BadgeCheck,
  BellRing,
  CalendarClock,
  CheckCheck,
  Flame,
  Gift,
  type LucideIcon,
  MessageCircle,
  Settings,
  Shield,
  Wallet,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Id } from '../../protocol/ids.ts'
import { type NewsItem, type NewsTopic, news, topicOf } from '../../protocol/news.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { Empty } from '../../ui/states.tsx'
import { notify } from '../../ui/toast.tsx'
import { call, useCall, useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { HeadLink, PageHead } from '../shared/page/page-head.tsx'
import { refreshNews } from './bell.tsx'

const icons: Record<NewsTopic, LucideIcon> = {
  deposits: Wallet,
  withdrawals: BadgeCheck,
  rewards: Gift,
  plans: BellRing,
  support: MessageCircle,
  security: Shield,
  streak: Flame,
  terms: CalendarClock,
}

/** The inbox: everything that happened, newest first. Older news are loaded in parts. */
export function NewsPage() {
  const [parts, setParts] = useState<(Id<'news'> | undefined)[]>([undefined])
  return (
    <>
      <PageHead
        title="News"
        subtitle="What happened to your money, your plans and your account."
        aside={
          <HeadLink to="/user/profile#news" icon={Settings}>
            Choose channels
          </HeadLink>
        }
      />
      <Card padding="none" className="overflow-hidden">
        {parts.map((before, at) => (
          <Part
            key={before ?? 'newest'}
            before={before}
            onOlder={at === parts.length - 1 ? (last) => setParts([...parts, last]) : undefined}
          />
        ))}
      </Card>
    </>
  )
}

type PartProps = { before: Id<'news'> | undefined; onOlder: ((last: Id<'news'>) => void) | undefined }

function Part({ before, onOlder }: PartProps) {
  const read = useRead(news.list, before ? { before } : {})
  if (read.isLoadingError) return <FailedRead error={read.error} onRetry={() => read.refetch()} />
  if (!read.data)
    return (
      <div className="p-6">
        <SkeletonText lines={5} />
      </div>
    )
  const { data, unread, has_more } = read.data
  const [newest, oldest] = [data[0], data.at(-1)]
  if (!newest || !oldest)
    return (
      <Empty title="No news yet" icon={<BellRing size={28} aria-hidden="true" />}>
        When a deposit arrives, a plan matures or a withdrawal is paid, you’ll read it here.
      </Empty>
    )
  return (
    <>
      {!before && unread > 0 && <MarkAll newest={newest.id} />}
      <ul className="divide-y divide-line">
        {data.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </ul>
      {onOlder && has_more && (
        <div className="grid place-items-center border-line border-t p-4">
          <Button variant="quiet" onClick={() => onOlder(oldest.id)}>
            Show older
          </Button>
        </div>
      )}
    </>
  )
}

/** Marks what the page shows and everything older, but not what arrives meanwhile. */
function MarkAll({ newest }: { newest: Id<'news'> }) {
  const mark = useCall(news.readAll)
  const markAll = () =>
    mark.mutate({ up_to: newest }, { onSuccess: refreshNews, onError: ({ message }) => notify.error(message) })
  return (
    <div className="flex justify-end border-line border-b px-3 py-2">
      <Button variant="bare" size="s" busy={mark.isPending} icon={<CheckCheck size={17} />} onClick={markAll}>
        Mark all read
      </Button>
    </div>
  )
}

function Row({ item: { id, kind, title, text, link, created_at, is_read } }: { item: NewsItem }) {
  const Icon = icons[topicOf(kind)]
  // The page behind the link does not wait for the mark. If it is lost, the news stay unread.
  const open = () => {
    if (!is_read) call(news.read, { news_id: id }).then(refreshNews, () => undefined)
  }
  return (
    <li>
      <Link
        to={link}
        onClick={open}
        className={`flex items-start gap-4 px-5 py-4 transition hover:bg-sunken sm:px-6 ${is_read ? '' : 'bg-leaf-tint/40'}`}
      >
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-sunken text-soft">
          <Icon size={20} aria-hidden="true" />
        </span>
        <span className="grid min-w-0 flex-1 gap-0.5">
          <span className={is_read ? 'text-soft' : 'font-semibold'}>{title}</span>
          <span className="wrap-anywhere text-[15px] text-soft">{text}</span>
          <span className="text-faint text-sm">
            <DateTime at={created_at} />
          </span>
        </span>
        {!is_read && (
          <span className="mt-2 size-2.5 shrink-0 rounded-full bg-leaf">
            <span className="sr-only">Unread</span>
          </span>
        )}
      </Link>
    </li>
  )
}
