import { news } from '../../protocol/news.ts'
import { Button } from '../../ui/button.tsx'
import { notify } from '../../ui/toast.tsx'
import { call } from '../shared/api/api.ts'
import { useOneAtATime } from '../shared/page/use-one-at-a-time.ts'
import { pushSupport, startPush, stopPushHere } from './browser-push.ts'
import { type NewsSettings, refreshSettings } from './settings-card.tsx'

const hints = {
  possible: 'Messages on this device, also when the app is closed.',
  refused: 'Your browser blocks notifications from this site. Allow them in its settings first.',
  unsupported: 'This browser cannot get push messages. On an iPhone, add the app to your home screen first.',
} as const

export function PushChannel({ push: { key, devices, here } }: { push: NonNullable<NewsSettings['push']> }) {
  const { isBusy, run } = useOneAtATime()
  const support = pushSupport()
  const change = (work: () => Promise<string>) =>
    run(async () => {
      try {
        notify.success(await work())
      } catch (error) {
        notify.error((error as Error).message)
      }
      await refreshSettings()
    })
  const others = devices - (here ? 1 : 0)
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h3 className="font-semibold text-[15px]">Push messages</h3>
          <p className="text-faint text-sm">{here ? 'On for this browser.' : hints[support]}</p>
        </div>
        {here ? (
          <Button variant="quiet" size="s" busy={isBusy} onClick={() => change(stopPushHere)}>
            Turn off here
          </Button>
        ) : (
          support === 'possible' && (
            <Button size="s" busy={isBusy} onClick={() => change(() => startPush(key))}>
              Turn on here
            </Button>
          )
        )}
      </div>
      {others > 0 && (
        <Button
          variant="bare"
          size="s"
          className="w-fit"
          disabled={isBusy}
          onClick={() => change(async () => (await call(news.stopPush, {})).Msg)}
        >
          {here
            ? `Turn off everywhere (${devices} browsers)`
            : `Turn off in ${others === 1 ? '1 other browser' : `${others} other browsers`}`}
        </Button>
      )}
    </div>
  )
}
