import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../protocol/errors.ts'
import { eventsInput } from '../../protocol/events.ts'
import type { Route, Routes } from '../../protocol/route.ts'
import { routes } from '../../protocol/routes.ts'
import { treeInput } from '../../protocol/trust.ts'
import { type Context, createContext, type RequestContext, type User } from '../context.ts'
import { type Cards, createCards } from '../features/shares/cards.ts'
import { createTreeFiles, type TreeFiles } from '../features/trust/tree-files.ts'
import { hideTokens } from '../features/users/hidden-tokens.ts'
import { createProofCheck } from '../features/users/proofs.ts'
import { createSessionFinder, type FoundSession } from '../features/users/sessions.ts'
import { mountAdmission } from '../platform/admission.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { mountDocs } from '../platform/docs.ts'
import type { Events } from '../platform/event-connection.ts'
import { mountHealth, startMonitoring } from '../platform/health.ts'
import { createHttp, decodeInput, type Http, mountRoute } from '../platform/http.ts'
import { type Call, changeOnce } from '../platform/idempotency.ts'
import { networkOf } from '../platform/network.ts'
import { createRateCounter } from '../platform/rate-counter.ts'
import { shareCounts } from '../platform/rate-counts.ts'
import { limitRates } from '../platform/rate-limits.ts'
import { createShared, type Shared } from '../platform/shared.ts'
import { createEventStreams } from '../platform/sse.ts'
import { startTracing } from '../platform/tracing.ts'
import { createTurns } from '../platform/turns.ts'
import { busy } from '../platform/waiting.ts'
import { serveWeb } from '../platform/web.ts'
import { openDatabases, STATEMENT_MS_MAX } from './api-databases.ts'
import { createFigures } from './figures.ts'
import { handlers } from './handlers.ts'
import { mountOneClickStop } from './one-click-stop.ts'
import { pageTags } from './page-tags.ts'
import { readinessChecks } from './readiness.ts'

const WEB_FOLDER = join(import.meta.dirname, '../../../dist/web')

/** The context of an API process. Benchmarks use it too, so that they measure what runs. */
export const createApiContext = (config: Config, name: string) =>
  createContext(config, name, systemClock, { name: 'money', statementMs: STATEMENT_MS_MAX.money, publishes: true })

/** The API and the web app on one port. */
export async function startApi(config: Config) {
  const tracing = await startTracing(config.collectorUrl, 'api')
  const { context, close } = createApiContext(config, 'api')
  const http = await createApi(context)
  const checks = readinessChecks(context.db, () => http.draining.isOn)
  const figures = createFigures(context)
  const monitoring = await startMonitoring(context.log, { address: config.metrics, checks, figures })
  await http.listen({ port: config.port, host: config.host })
  return {
    /** First not ready, for as long as a load balancer needs to notice. Then no more connections. */
    async stop(): Promise<void> {
      http.draining.isOn = true
      await sleep(config.drainMs)
      await http.close()
      await monitoring?.close()
      await close()
      await tracing.stop()
    },
  }
}

export async function createApi(context: Context): Promise<Http> {
  const { config, log } = context
  const secure = config.publicUrls.every((url) => url.startsWith('https:'))
  const http = await createHttp(log, {
    secure,
    trustedProxies: config.trustedProxies,
    walletConnect: config.walletConnectProjectId !== undefined,
  })
  // Visitors wait in a queue of their own, so that however many there are, users are not refused.
  const stopCounting = mountAdmission(http, ({ headers }) => 'token' in headers || 'authorization' in headers)
  // Reads give way to money: while postings are refused, they are too, before anything else is done for them.
  http.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.isRead && context.ledger.isCrowded()) throw busy()
  })
  const sessionOf = createSessionReader(context)
  const requireProof = createProofCheck(context.pool)
  const turn = createTurns()
  const findSession = (request: FastifyRequest) => sessionOf(request).catch(() => undefined)
  http.addHook('onRequest', async (request) => {
    if (await findSession(request)) return
    // A token that is not valid makes no user.
    stopCounting(request)
    await turn()
  })
  if (config.rateLimits)
    limitRates(
      http,
      createRateCounter({ share: shareCounts(context.pool) }),
      async (request) => (await findSession(request))?.user.number,
    )
  http.addHook('preHandler', async (request) => {
    request.body = await hideTokensExceptOwn(context, request.body)
  })
  mountHealth(
    http,
    readinessChecks(context.db, () => http.draining.isOn),
  )
  const databases = openDatabases(context)
  http.addHook('onClose', () => databases.close())
  for (const [feature, table] of Object.entries<Routes>(routes))
    for (const [name, route] of Object.entries(table)) {
      const own = { ...context, db: databases.of(route) }
      const shared = route.shared ? createSharedReplies(context.events) : undefined
      mountRoute(http, route, createHandler(own, { sessionOf, requireProof }, route, handlerOf(feature, name)), {
        shared,
      })
    }
  mountTreeFiles(http, createTreeFiles(databases.of(routes.trust.summary)))
  mountCards(http, createCards(databases.of(routes.shares.show)))
  await mountOneClickStop(http, databases.of(routes.news.unsubscribe))
  const streams = createEventStreams(context.events, { limited: config.rateLimits })
  http.get('/api/events/', { config: { limit: 'read', isUnbounded: true } }, async (request, reply) => {
    const { topics } = decodeInput(eventsInput, request.query)
    const found = await sessionOf(request)
    const session = found && { id: found.id, userNumber: found.user.number, isLive: found.isLive }
    streams.open(request, reply, { session, topics })
  })
  http.addHook('preClose', async () => streams.end())
  mountDocs(http, routes)
  await serveWeb(http, WEB_FOLDER, (path) => pageTags(context, path))
  return http
}

/** The public file of a published tree. It never changes, so a cache in front of the API may keep it. */
function mountTreeFiles(http: Http, files: TreeFiles): void {
  http.get('/api/trust/tree/:epoch', { config: { limit: 'read' } }, async (request, reply) => {
    const { epoch } = decodeInput(treeInput, request.params)
    const { bytes, name, stream } = await files.open(epoch)
    return reply
      .type('application/octet-stream')
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'public, max-age=86400, immutable')
      .send(stream)
  })
}

/** The image of a shared link. A removed link must not live on in caches, so they keep it for minutes only. */
function mountCards(http: Http, cards: Cards): void {
  http.get('/api/share/:token/card.png', { config: { limit: 'read' } }, async (request, reply) => {
    const { token } = decodeInput(routes.shares.show.input, request.params)
    const image = await cards.draw(token)
    return reply.type('image/png').header('cache-control', 'public, max-age=300').send(image)
  })
}

/** Some calls of the specification repeat the caller's token in this field. It is compared, never stored. */
async function hideTokensExceptOwn({ db }: Context, body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || !('token' in body)) return hideTokens(db, body)
  const { token, ...others } = body
  return { ...(await hideTokens(db, others)), token }
}

/** A public event changes public figures. It reaches this process before any page that reacts to it. */
function createSharedReplies(events: Events): Shared<string> {
  const shared = createShared<string>()
  events.subscribe(({ user }) => user === undefined && shared.clear())
  return shared
}

type AnyHandler = (context: RequestContext, input: unknown) => Promise<unknown>
const handlerOf = (feature: string, name: string): AnyHandler =>
  (handlers as unknown as Record<string, Record<string, AnyHandler>>)[feature]?.[name] ?? missing
const missing: AnyHandler = () => Promise.reject(new Error('a route without a handler'))

/**
 * Finds the live session of a request by the token in its headers, once per request: the rate limit and the handler both
 * need it. `bodyToken` is used only without such a header. It is known only after the rate limit, which therefore counts
 * these calls for the address.
 */
function createSessionReader({ db, pool }: Context) {
  const find = createSessionFinder(db, pool)
  const found = new WeakMap<FastifyRequest, Promise<FoundSession | undefined>>()
  const findByToken = async (token: string | undefined) => (token?.length === 43 ? find(token) : undefined)
  return async (request: FastifyRequest, bodyToken?: string): Promise<FoundSession | undefined> => {
    const token = tokenOf(request)
    if (token === undefined) return findByToken(bodyToken)
    const session = found.get(request) ?? findByToken(token)
    found.set(request, session)
    return session
  }
}

/** Reads the token from the specification's `Token` header, or from `Authorization: DPoP` (RFC 9449). */
function tokenOf({ headers }: FastifyRequest): string | undefined {
  const own = textOf(headers['token'])
  const [, standard] = /^DPoP +([\w-]+)$/i.exec(headers.authorization ?? '') ?? []
  if (own !== undefined && standard !== undefined && own !== standard)
    throw new AppError('invalid_input', 'Token and Authorization carry different tokens', 'Authorization')
  return own ?? standard
}

type Checks = {
  sessionOf: ReturnType<typeof createSessionReader>
  requireProof: ReturnType<typeof createProofCheck>
}

/** Checks session, DPoP proof and frozen accounts before the handler runs. */
function createHandler(context: Context, { sessionOf, requireProof }: Checks, route: Route, handle: AnyHandler) {
  return async (request: FastifyRequest, input: unknown): Promise<unknown> => {
    const inBody = route.tokenInBody ? (input as { token: string }).token : undefined
    const token = route.auth === 'user' ? (tokenOf(request) ?? inBody) : undefined
    const session = route.auth === 'user' ? await sessionOf(request, inBody) : undefined
    if (route.auth === 'user' && !session) throw new AppError('unauthenticated', 'Please sign in')
    if (token && session && route.proof) {
      const { method, url, rawBody } = request
      const proven = { method, url, rawBody, token, publicUrls: context.config.publicUrls, now: context.clock.now() }
      await requireProof(session, textOf(request.headers['dpop']), proven)
    }
    if (session?.frozen && route.changes && !route.evenFrozen)
      throw new AppError('user_frozen', 'This account is frozen. Contact support to find out why.')
    const idempotencyKey = route.changes ? await readIdempotencyKey(context, request) : undefined
    const call = session && callOf(route, input, session.user, idempotencyKey)
    const requestContext: RequestContext = {
      ...context,
      requestId: request.id,
      network: networkOf(request.ip),
      country: countryOf(request, context.config.countryHeader),
      device: request.headers['user-agent'] ?? '',
      idempotencyKey,
      change: createChange(context.db, route, call),
      call: call as never,
      session: session as never,
      user: session?.user as never,
    }
    return handle(requestContext, input).catch(asSignedOut)
  }
}

/** The account was deleted while this call ran, and with it the session. Nothing of the call was stored. */
function asSignedOut(error: { constraint?: string }): never {
  throw error.constraint === 'user_is_deleted' ? new AppError('unauthenticated', 'This account is deleted') : error
}

/** What identifies a call when it is repeated. */
const callOf = (route: Route, input: unknown, user: User, idempotencyKey: string | undefined): Call => ({
  userNumber: user.number,
  keys: idempotencyKey === undefined ? [] : [{ scope: route.path, key: idempotencyKey }],
  request: [route.path, input],
  output: route.output,
})

function createChange(db: Context['db'], route: Route, call: Call | undefined): RequestContext['change'] {
  return (work, natural) => {
    if (!call) throw new Error(`${route.path} needs a signed-in user to change something`)
    const keys = natural ? [...call.keys, natural] : call.keys
    return changeOnce(db, { ...call, keys, mismatch: natural?.mismatch }, work)
  }
}

/** Only the header that the operator has named is read. A caller could send any other. */
const countryOf = ({ headers }: FastifyRequest, name: string | undefined): string | undefined =>
  name === undefined ? undefined : textOf(headers[name])?.trim().toUpperCase()

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

async function readIdempotencyKey({ db }: Context, request: FastifyRequest): Promise<string | undefined> {
  const key = textOf(request.headers['idempotency-key'])
  if (key !== undefined && !/^[\x21-\x7e]{1,128}$/.test(key))
    throw new AppError('invalid_input', 'Idempotency-Key must be 1 to 128 visible characters', 'Idempotency-Key')
  if ((await hideTokens(db, key)) !== key)
    throw new AppError('invalid_input', 'Idempotency-Key must not contain a session token', 'Idempotency-Key')
  return key
}
