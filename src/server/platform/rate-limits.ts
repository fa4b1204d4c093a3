import type { FastifyRequest } from 'fastify'
import { AppError } from '../../protocol/errors.ts'
import type { Route } from '../../protocol/route.ts'
import type { Http } from './http.ts'
import { networkOf } from './network.ts'
import type { RateCounter } from './rate-counter.ts'

/** Calls per minute by class of route (R8). */
const callsPerMinute: Record<Route['limit'], number> = {
  read: 600,
  money: 120,
  auth: 60,
  play: 900,
  protect: 60,
  guest: 20,
}
/** All visitors together: however many addresses a flood has, its rows fit the disk until they are deleted. */
const GUEST_CALLS_PER_MINUTE = 300
/** All users at one address together may make this many times the calls of one user. */
const USERS_PER_ADDRESS = 20
/**
 * How many calls a process takes from the shared counts at once (rate-counter.ts). Sign-in, calls that protect a user
 * and calls of guests take one, so they are never refused early. The others take a twentieth of the limit: a query for each call would cost
 * 8% of a transfer.
 */
const oneByOne = new Set<Route['limit']>(['auth', 'protect', 'guest'])
const blockOf = (max: number) => max / 20

/** The signed-in user who makes a request. Undefined unless the token belongs to a live session. */
export type FindUserNumber = (request: FastifyRequest) => Promise<number | undefined>

/**
 * Limits the calls of each signed-in user, and of each address for all other calls. A token that is not in the database
 * counts for the address, so made-up tokens do not help. The class is the matched route's, however the path is written.
 */
export function limitRates(http: Http, counter: RateCounter, findUserNumber: FindUserNumber): void {
  async function spend(key: string, max: number, block: number): Promise<void> {
    const { calls, resetsInMs } = await counter.add(key, max, block)
    if (calls > max)
      throw new AppError(
        'rate_limited',
        'Too many requests. Wait a moment.',
        undefined,
        Math.max(1, Math.ceil(resetsInMs / 1000)),
      )
  }

  http.addHook('onRequest', async (request) => {
    const limit = request.routeOptions.config.limit ?? (request.is404 ? 'read' : undefined)
    if (limit === undefined) return
    const [max, address] = [callsPerMinute[limit], networkOf(request.ip)]
    const block = oneByOne.has(limit) ? 1 : blockOf(max)
    const user = await findUserNumber(request)
    if (limit === 'guest') {
      await spend(`guest address ${address}`, max, block)
      return spend('guest everyone', GUEST_CALLS_PER_MINUTE, 1)
    }
    if (user === undefined) return spend(`${limit} address ${address}`, max, block)
    await spend(`${limit} user ${user}`, max, block)
    // Calls that protect the user must always work, whatever other users at the same address do.
    const maxOfAll = max * USERS_PER_ADDRESS
    if (limit !== 'protect') await spend(`${limit} users at ${address}`, maxOfAll, blockOf(maxOfAll))
  })
}
