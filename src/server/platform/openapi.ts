import { z } from 'zod'
import {
  createDocument,
  createSchema,
  type oas32,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { brand } from '../../protocol/brand.ts'
import { type ErrorCode, statusByCode } from '../../protocol/errors.ts'
import { eventsInput } from '../../protocol/events.ts'
import type { Route, Routes } from '../../protocol/route.ts'

export type OpenApiDocument = oas32.OpenAPIObject

/** Builds the OpenAPI document from the route table, with the same schemas that validate. */
export function openApi(features: Record<string, Routes>): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const [feature, table] of Object.entries(features))
    for (const [name, route] of Object.entries(table)) {
      const path = `/api${route.path}`
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(feature, name, route) }
    }
  return createDocument({
    openapi: '3.1.1',
    info: { title: `${brand.name} API`, version: '1', description: brand.description },
    tags: Object.keys(features).map((name) => ({ name })),
    paths: { ...paths, '/api/events/': { get: events } },
    components: { schemas: { Error: errorReply }, securitySchemes },
  })
}

const securitySchemes = {
  Token: { type: 'apiKey', in: 'header', name: 'Token', description: 'The token that sign-in returns.' },
  DPoP: { type: 'http', scheme: 'DPoP', description: 'The same token, sent as described in RFC 9449.' },
} as const
const signedIn = [{ Token: [] }, { DPoP: [] }]

/** The events are a stream, so they are not in the route table. */
const events: ZodOpenApiOperationObject = {
  tags: ['events'],
  operationId: 'events',
  summary: 'Server-sent events: public events and, with a token, your own',
  security: [{}, ...signedIn],
  requestParams: { query: eventsInput },
  responses: { 200: { description: 'Events until you close the connection', content: { 'text/event-stream': {} } } },
}

function operation(feature: string, name: string, route: Route): ZodOpenApiOperationObject {
  const { body, ...parameters } = partsOf(route)
  return {
    tags: [feature],
    operationId: `${feature}_${name}`,
    summary: route.summary,
    requestParams: { ...parameters, header: headersOf(route) },
    ...(route.auth === 'user' && { security: route.tokenInBody ? [{}, ...signedIn] : signedIn }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: { 200: { description: 'Success', content: jsonOf(route.output) }, ...failures(route) },
  }
}

/** Where each field of the input is sent: in the path, in the query of a GET, or in the body of a POST. */
function partsOf({ method, path, input }: Route) {
  // An input that is not one object, such as a union of objects, is always sent as the body.
  if (!(input instanceof z.ZodObject)) return { body: input }
  const fields = Object.entries<z.core.$ZodType>(input.shape)
  const isInPath = ([name]: [string, unknown]) => path.includes(`{${name}}`)
  const inPath = z.object(Object.fromEntries(fields.filter(isInPath)))
  const rest = z.strictObject(Object.fromEntries(fields.filter((field) => !isInPath(field))))
  return method === 'GET' ? { path: inPath, query: rest } : { path: inPath, body: rest }
}

function headersOf({ changes, proof: isProven }: Route) {
  const key = z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/)
    .optional()
    .meta({ description: 'A repeat with the same key and body returns the first reply and changes nothing.' })
  const proof = z
    .string()
    .optional()
    .meta({ description: 'A proof for this request (RFC 9449). Required if the session is bound to a key.' })
  return z.object({
    ...(changes && { 'Idempotency-Key': key }),
    ...(isProven && { DPoP: proof }),
  })
}

// Codecs decode requests and encode replies, so on the wire both have the codec's input type.
const jsonOf = (schema: z.ZodType) => ({ 'application/json': { schema: createSchema(schema, { io: 'input' }).schema } })

const errorReply = z.strictObject({
  status: z.literal('error'),
  Msg: z.string(),
  message: z.string(),
  code: z.enum(Object.keys(statusByCode) as ErrorCode[]),
  field: z.string().optional(),
  request_id: z.uuid(),
})

function failures(route: Route): ZodOpenApiResponsesObject {
  const byStatus = Object.groupBy(codesOf(route), (code) => String(statusByCode[code]))
  const replies = Object.entries(byStatus).map(([status, codes = []]) => {
    const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }] }
    return [status, { description: codes.join(', '), content: { 'application/json': { schema } } }]
  })
  return Object.fromEntries(replies)
}

/** The route's own errors, and those that any route of its kind can return. */
function codesOf({ method, auth, changes, proof, evenFrozen, errors }: Route): ErrorCode[] {
  const always: ErrorCode[] = ['invalid_input', 'rate_limited', 'internal', 'unavailable']
  const withBody: ErrorCode[] = ['bad_json', 'payload_too_large', 'unsupported_media_type']
  const codes: ErrorCode[] = [...errors, ...always, ...(method === 'POST' ? withBody : [])]
  if (auth === 'user') codes.push('unauthenticated')
  if (proof) codes.push('proof_required')
  if (auth === 'user' && changes && !evenFrozen) codes.push('user_frozen')
  return [...new Set(codes)]
}
