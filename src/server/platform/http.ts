import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, type ErrorCode, errorBody, statusByCode } from '../../protocol/errors.ts'
import { fieldWords } from '../../protocol/field-words.ts'
import type { Route } from '../../protocol/route.ts'
import { amountRefusals } from '../../protocol/rules.ts'
import { mountDraining } from './draining.ts'
import { parseJsonBody } from './json.ts'
import type { Log } from './log.ts'
import { createPathRefusal } from './methods.ts'
import { observeRequest } from './metrics.ts'
import type { Shared } from './shared.ts'
import { traceRequests } from './tracing.ts'
import { isUnavailable } from './unavailable.ts'

const BODY_BYTES_MAX = 16 * 1024
/** How long a caller may take to send a request. Fastify's default has no end, so slow senders could hold every connection. */
const REQUEST_MS_MAX = 30_000

export type Http = FastifyInstance
export type HttpOptions = {
  /** Served over HTTPS only. */
  secure: boolean
  /** Proxies whose X-Forwarded-For header names the caller's address. Nobody else can choose their address. */
  trustedProxies?: string[]
  /** Pages may connect to the relay of WalletConnect. */
  walletConnect?: boolean
}

/** A server that accepts only JSON, returns errors in one shape and sets the security headers of R20. */
export async function createHttp(log: Log, options: HttpOptions): Promise<Http> {
  const http = Fastify({
    loggerInstance: log.child({}, { level: log.level === 'debug' ? 'debug' : 'warn' }) as FastifyBaseLogger,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    genReqId: () => randomUUID(),
    // Log lines contain the request id themselves. A child logger per request would slow every request down.
    childLoggerFactory: (logger) => logger,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    trustProxy: options.trustedProxies ?? false,
    // A call that arrives while the server closes is answered, not refused (draining.ts).
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(request, reply, error),
  })
  traceRequests(http)
  mountDraining(http)
  http.decorateRequest('rawBody', '')
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    request.rawBody = text as string
    try {
      done(null, parseJsonBody(text as string))
    } catch (error) {
      done(error as Error)
    }
  })
  const headers = await readSecurityHeaders(options)
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  http.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done()
  })
  http.addHook('onResponse', (request, reply, done) => {
    observeRequest(request.routeOptions.url ?? 'none', request.method, reply.statusCode, reply.elapsedTime)
    done()
  })
  http.setErrorHandler((error, request, reply) => sendError(request, reply, error))
  http.decorate('refusePath', createPathRefusal(http))
  http.setNotFoundHandler((request, reply) => sendError(request, reply, http.refusePath(request, reply)))
  return http
}

type MountOptions = {
  prefix?: string
  /** Set for a route whose replies are shared between callers. */
  shared?: Shared<string> | undefined
}

/** Mounts one route. The protocol's schemas decode the input and encode the output; errors have the one shape. */
export function mountRoute(
  http: Http,
  route: Route,
  handle: (request: FastifyRequest, input: unknown) => Promise<unknown>,
  { prefix = '/api', shared }: MountOptions = {},
) {
  const url = `${prefix}${route.path.replace(/\{(\w+)\}/g, ':$1')}`
  http.route({
    method: route.method,
    url,
    config: { limit: route.limit, isRead: route.limit === 'read' && !route.changes },
    handler: async (request, reply) => {
      const input = decodeInput(route.input, { ...fieldsOf(request), ...(request.params as object) })
      const answer = async () => JSON.stringify(z.encode(route.output, await handle(request, input)))
      reply.type('application/json')
      if (!shared) return reply.send(await answer())
      const { value, ageMs } = await shared.get(JSON.stringify(input), answer)
      return reply.header('age', Math.floor(ageMs / 1000)).send(value)
    },
  })
}

/** What the schema makes of the input. Refuses the call if it does not fit. */
export function decodeInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const input = schema.safeParse(given, { error: fieldWords })
  if (!input.success) throw inputError(input.error)
  return input.data
}

/** A GET has its fields in the address, a POST only in the body: the `body` claim of a DPoP proof covers no address. */
function fieldsOf({ method, query, body }: FastifyRequest): object {
  const inAddress = query as object
  if (method !== 'POST') return inAddress
  const [field] = Object.keys(inAddress)
  if (field !== undefined) throw new AppError('invalid_input', 'Send the fields of this call in its JSON body', field)
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('invalid_input', 'Send a JSON object')
  return body
}

/** The first validation error, with its field. */
function inputError(error: z.ZodError): AppError {
  const issue = error.issues[0]
  if (!issue) throw new Error('a validation error without an issue')
  const field = issue.code === 'unrecognized_keys' ? issue.keys[0] : issue.path.join('.')
  return new AppError(codeOf(issue), issue.message, field)
}

function codeOf(issue: z.core.$ZodIssue): ErrorCode {
  const own = issue.code === 'custom' ? (issue.params?.['code'] as ErrorCode | undefined) : undefined
  // An amount that was not sent fails the type check, whose issues cannot carry a code.
  return own ?? (issue.message === amountRefusals.missing.message ? amountRefusals.missing.code : 'invalid_input')
}

const transportErrors: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send JSON with content-type application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The request is too large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_json', 'The request was cut short'],
  FST_ERR_BAD_URL: ['not_found', 'There is nothing here'],
}

/** The challenge sent with a 401 (RFC 9110, section 11.6.1; RFC 9449, section 7.1). */
const challenges: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'DPoP algs="ES256"',
  proof_required: 'DPoP error="invalid_dpop_proof", algs="ES256"',
}

function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  const error = asAppError(thrown)
  if (error.code === 'internal') request.log.error({ err: thrown, requestId: request.id }, 'unexpected error')
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  const challenge = challenges[error.code]
  if (challenge) reply.header('www-authenticate', challenge)
  reply
    .status(statusByCode[error.code])
    .type('application/json')
    .send(JSON.stringify(errorBody(error, request.id)))
}

function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const { code = '', statusCode = 500 } = thrown as { code?: string; statusCode?: number }
  const known = transportErrors[code]
  if (known) return new AppError(...known)
  if (statusCode >= 400 && statusCode < 500) return new AppError('invalid_input', 'The request was not understood')
  if (isUnavailable(thrown))
    return new AppError('unavailable', 'The service is restarting. Nothing was lost: try again.', undefined, 2)
  if (isTooSlow(thrown))
    return new AppError('unavailable', 'The service is very busy. Nothing was lost: try again.', undefined, 2)
  return new AppError('internal', 'Something went wrong on our side. Nothing was lost: try again.')
}

/** PostgreSQL cancelled a statement at its timeout, a lock was not free in time, or no connection (without a code). */
const isTooSlow = (thrown: unknown): boolean => {
  const { code, message } = thrown as { code?: string; message?: string }
  return code === '57014' || code === '55P03' || message === 'timeout exceeded when trying to connect'
}

/** The headers that helmet sets, read once: helmet would build the same strings again for every request. */
async function readSecurityHeaders(options: HttpOptions): Promise<Record<string, string>> {
  const probe = Fastify()
  await probe.register(helmet, securityHeaders(options))
  probe.get('/', async (_request, reply) => reply.code(204).send())
  const { headers } = await probe.inject('/')
  await probe.close()
  const ofTransport = new Set(['connection', 'date', 'content-length', 'content-type'])
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !ofTransport.has(name) ? [[name, value]] : [],
    ),
  )
}

/** The Trusted Types policies of the web app. No script can create another one: web/app/updates.tsx, web/wellness/import. */
const TRUSTED_TYPES_POLICIES = ['wellplay-worker', 'wellplay-import']

/**
 * What @walletconnect/sign-client connects to, without its telemetry: its relay, and a frame that proves our domain to
 * the wallet. See docs.reown.com/advanced/security/content-security-policy.
 */
const WALLETCONNECT_RELAY = 'wss://relay.walletconnect.org'
const WALLETCONNECT_VERIFY = 'https://verify.walletconnect.org'

function securityHeaders({ secure, walletConnect = false }: HttpOptions) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...(walletConnect ? [WALLETCONNECT_RELAY] : [])],
        ...(walletConnect && { frameSrc: [WALLETCONNECT_VERIFY] }),
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: TRUSTED_TYPES_POLICIES,
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: secure,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' as const },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    rawBody: string
  }
  interface FastifyContextConfig {
    limit?: Route['limit']
    isRead?: boolean
  }
}
