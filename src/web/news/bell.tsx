import { Bell } from 'lucide-react'
import { Link } from 'react-router'
import { news, UNREAD_MAX } from '../../protocol/news.ts'
import { useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { queries } from '../shared/api/queries.tsx'

/** The way to the inbox, with the number of unread news. It counts again as soon as the server writes or marks some. */
export function NewsBell() {
  const unread = useRead(news.unread, {}).data?.unread ?? 0
  useEvent('news', refreshNews)
  useEvent('resync', refreshNews)
  const count = unread >= UNREAD_MAX ? `${UNREAD_MAX - 1}+` : String(unread)
  const label = unread === 0 ? 'News' : `News, ${count} unread`
  return (
    <Link
      to="/user/news"
      aria-label={label}
      title={label}
      className="relative inline-grid size-11 shrink-0 @max-[420px]:w-9 place-items-center rounded-full text-soft transition hover:bg-quiet hover:text-ink active:scale-95"
    >
      <Bell size={20} aria-hidden="true" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-1 right-0.5 grid h-[18px] min-w-[18px] place-items-center rounded-full bg-coral-ink px-1 font-bold text-[11px] text-ground leading-none"
        >
          {count}
        </span>
      )}
    </Link>
  )
}

export function refreshNews(): void {
  for (const { path } of [news.unread, news.list]) void queries.invalidateQueries({ queryKey: [path] })
}
