import { news } from '../../protocol/news.ts'
import { call } from '../shared/api/api.ts'

/** `refused`: the user told the browser not to show notifications, and only they can change that. */
export type PushSupport = 'possible' | 'refused' | 'unsupported'

export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return 'unsupported'
  return Notification.permission === 'denied' ? 'refused' : 'possible'
}

/** Asks the browser for permission and tells the server where to send. Returns the server's words, or why it failed. */
export async function startPush(key: string): Promise<string> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Your browser did not allow notifications')
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription made with another key cannot be used with this one.
  const kept = await pushManager.getSubscription()
  if (kept && !(await isMadeWith(kept, key))) await kept.unsubscribe()
  const { endpoint, keys } = (await subscribe(pushManager, key)).toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  return (await call(news.addDevice, { endpoint: endpoint ?? '', p256dh, auth })).Msg
}

const subscribe = (manager: PushManager, key: string): Promise<PushSubscription> =>
  manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => {
    throw new Error('Your browser could not reach its push service. Try again later')
  })

async function isMadeWith({ options }: PushSubscription, key: string): Promise<boolean> {
  const own = new Uint8Array(options.applicationServerKey ?? [])
  const text = btoa(String.fromCharCode(...own))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  return text === key.replaceAll('=', '')
}

/** Stops push to this browser; the server stops even if the browser cannot. */
export async function stopPushHere(): Promise<string> {
  const { pushManager } = await navigator.serviceWorker.ready
  const kept = await pushManager.getSubscription()
  const { Msg } = await call(news.stopPush, kept ? { endpoint: kept.endpoint } : {})
  await kept?.unsubscribe()
  return Msg
}
