import { news } from '../../protocol/news.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { Card } from '../../ui/card.tsx'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { Choices } from './choices.tsx'
import { EmailChannel } from './email-channel.tsx'
import { PushChannel } from './push-channel.tsx'
import { TelegramChannel } from './telegram-channel.tsx'

export type NewsSettings = OutputOf<typeof news.settings>
export const refreshSettings = () => queries.invalidateQueries({ queryKey: [news.settings.path] })

/** Settings for push, e-mail and Telegram. Hidden if the operator has set up none of them. */
export function NewsSettingsCard() {
  const read = useRead(news.settings, {})
  if (read.data && !read.data.push && !read.data.email && !read.data.telegram) return null
  return (
    <Card id="news" className="grid scroll-mt-24 gap-5">
      <div className="grid gap-1">
        <h2 className="text-xl">News</h2>
        <p className="text-faint text-sm">Everything is in your inbox. Choose what else reaches you, and how.</p>
      </div>
      {read.isLoadingError ? (
        <FailedRead error={read.error} onRetry={() => read.refetch()} />
      ) : read.data ? (
        <Channels settings={read.data} />
      ) : (
        <SkeletonText lines={6} />
      )}
    </Card>
  )
}

function Channels({ settings }: { settings: NewsSettings }) {
  return (
    <>
      {settings.push && <PushChannel push={settings.push} />}
      {settings.email && <EmailChannel email={settings.email} />}
      {settings.telegram && <TelegramChannel telegram={settings.telegram} />}
      <Choices settings={settings} />
    </>
  )
}
