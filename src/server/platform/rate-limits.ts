import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../protocol/errors.ts'
import type { Http } from './http.ts'

/** Calls per minute by class of route (R8), per token or, without one, per IP address. */
const callsPerMinute = { read: 600, money: 120, auth: 60, play: 900 } as const

export async function limitRates(http: Http): Promise<void> {
  await http.register(rateLimit, {
    global: true,
    timeWindow: 60_000,
    max: (request) => callsPerMinute[classOf(request)],
    keyGenerator: (request) => `${classOf(request)}:${callerOf(request)}`,
    allowList: (request) => !request.url.startsWith('/api'),
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate_limited', 'Too many requests. Wait a moment.', undefined, Math.ceil(ttl / 1000)),
  })
}

const classOf = (request: FastifyRequest) => request.routeOptions.config.limit ?? 'read'

function callerOf(request: FastifyRequest): string {
  const token = request.headers['token'] ?? request.headers.authorization
  return typeof token === 'string' ? createHash('sha256').update(token).digest('base64') : request.ip
}
