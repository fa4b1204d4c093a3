import { useState } from 'react'
import { news } from '../../protocol/news.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall } from '../shared/api/api.ts'
import { type NewsSettings, refreshSettings } from './settings-card.tsx'

/** A link to our bot, which the user opens in Telegram, and a way to stop. */
export function TelegramChannel({ telegram: { connected } }: { telegram: NonNullable<NewsSettings['telegram']> }) {
  const [link, setLink] = useState<string>()
  const connect = useCall(news.addTelegram)
  const stop = useCall(news.stopTelegram)
  const onError = ({ message }: Error) => notify.error(message)
  const begin = () => connect.mutate({}, { onSuccess: (reply) => setLink(reply.link), onError })
  const end = () =>
    stop.mutate(
      {},
      {
        onSuccess: async ({ Msg }) => {
          setLink(undefined)
          await refreshSettings()
          notify.success(Msg)
        },
        onError,
      },
    )
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h3 className="font-semibold text-[15px]">Telegram</h3>
          <p className="text-faint text-sm">{connected ? 'On for your chat with our bot.' : 'Not connected yet.'}</p>
        </div>
        {connected ? (
          <Button variant="quiet" size="s" busy={stop.isPending} onClick={end}>
            Stop Telegram
          </Button>
        ) : (
          !link && (
            <Button size="s" busy={connect.isPending} onClick={begin}>
              Connect
            </Button>
          )
        )}
      </div>
      {!connected && link && (
        <div className="grid gap-2">
          <p className="text-soft text-sm">
            Open the bot and tap Start. The link works once, for a quarter of an hour.
          </p>
          <div className="flex flex-wrap gap-2">
            <a href={link} target="_blank" rel="noreferrer" className={buttonClass({ size: 's' })}>
              Open Telegram
            </a>
            <Button variant="outline" size="s" onClick={() => void refreshSettings()}>
              I tapped Start
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}
