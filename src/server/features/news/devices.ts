import { AppError } from '../../../protocol/errors.ts'
import type { Session } from '../../context.ts'
import type { PushSettings } from '../../platform/channels.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'

const DEVICES_MAX = 20

/**
 * Whether we may send to this address. A browser names it, so anyone can name any: only the push services of the settings
 * are allowed, over https and on the standard port. So no one can make our worker call a machine of the operator.
 */
export function isPushService(endpoint: string, services: readonly string[]): boolean {
  const url = new URL(endpoint)
  if (url.username || url.password) return false
  return services.some((service) => {
    // The settings allow such an address only on the development network.
    if (service.includes('://')) return url.origin === service
    if (url.protocol !== 'https:' || url.port !== '') return false
    return service.startsWith('*.') ? url.hostname.endsWith(service.slice(1)) : url.hostname === service
  })
}

type Subscription = { endpoint: string; p256dh: string; auth: string }

/** Adds the browser of this session. One that another account used before belongs to this one from now on. */
export async function addDevice(tx: Tx, { id, user }: Session, given: Subscription, push: PushSettings | undefined) {
  if (!push) throw new AppError('not_eligible', 'Push messages are not set up here')
  if (!isPushService(given.endpoint, push.services))
    throw new AppError('not_eligible', 'We do not know the push service of this browser, so it cannot get messages')
  const others = await tx
    .selectFrom('news_devices')
    .select('id')
    .where('user_number', '=', user.number)
    .where('endpoint', '!=', given.endpoint)
    .execute()
  if (others.length >= DEVICES_MAX)
    throw new AppError(
      'limit_reached',
      `${DEVICES_MAX} browsers get your news already. Stop push first, then start it where you need it.`,
    )
  const owner = { user_number: user.number, session_id: id, p256dh: given.p256dh, auth: given.auth }
  await tx
    .insertInto('news_devices')
    .values({ id: newId<'device'>(), endpoint: given.endpoint, ...owner })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(owner))
    .execute()
}

export async function removeDevices(tx: Tx, userNumber: number, endpoint: string | undefined): Promise<void> {
  await tx
    .deleteFrom('news_devices')
    .where('user_number', '=', userNumber)
    .$if(endpoint !== undefined, (query) => query.where('endpoint', '=', endpoint as string))
    .execute()
}

/** The browsers of a user whose sessions have not been ended. */
export async function countDevices(db: Db, { id, user }: Session): Promise<{ devices: number; here: boolean }> {
  const rows = await db
    .selectFrom('news_devices as d')
    .innerJoin('sessions as s', 's.id', 'd.session_id')
    .select('d.session_id')
    .where('d.user_number', '=', user.number)
    .where('s.ended_at', 'is', null)
    .execute()
  return { devices: rows.length, here: rows.some(({ session_id }) => session_id === id) }
}
