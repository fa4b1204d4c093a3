import webPush from 'web-push'
import type { PushSettings } from '../../platform/channels.ts'
import type { Send } from './deliver.ts'
import { isPushService } from './devices.ts'

const SEND_MS_MAX = 10_000
/** How long the push service keeps a message for a device that is off. */
const TTL_SECONDS = 86_400

/**
 * Sends web push messages, encrypted for the browser (RFC 8291). `topic` and the notification's tag are the id of the news:
 * a message that is sent again replaces the first one. web-push only prepares the request, because its own client has no
 * limit for a whole request.
 */
export function createPushSender({ publicKey, privateKey = '', contact, services }: PushSettings): Send {
  const vapidDetails = { subject: contact, publicKey, privateKey }
  return async ({ id, title, text, link }, { device }) => {
    // Stored addresses were checked, but the settings may have changed since.
    if (!device || !isPushService(device.endpoint, services)) return 'gone'
    const { endpoint, p256dh, auth } = device
    const payload = JSON.stringify({ id, title, text, link })
    const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails,
      TTL: TTL_SECONDS,
      topic: id.replaceAll('-', ''),
      urgency: 'normal',
    })
    const reply = await fetch(endpoint, {
      method: 'POST',
      headers: request.headers as Record<string, string>,
      body: new Uint8Array(request.body as Buffer),
      // A redirect could lead to an address that is not allowed.
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_MS_MAX),
    })
    await reply.body?.cancel()
    if (reply.ok) return 'sent'
    if (reply.status === 404 || reply.status === 410) return 'gone'
    if (reply.status === 400 || reply.status === 413) return 'refused'
    throw new Error(`the push service answered ${reply.status}`)
  }
}
