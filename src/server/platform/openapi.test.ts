import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { statusByCode } from '../../protocol/errors.ts'
import { type Route, route, success } from '../../protocol/route.ts'
import { routes } from '../../protocol/routes.ts'
import { docsPage } from './docs.ts'
import { openApi } from './openapi.ts'

type Schema = { type?: string; format?: string; properties?: Record<string, Schema>; required?: string[] }
type Json = { content: { 'application/json': { schema: Schema } } }
type Operation = {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  security?: object[]
  requestBody?: Json
  responses: Record<string, { content: { 'application/json': { schema: { allOf: { properties: Schema }[] } } } }>
}

const document = openApi(routes)
const calls = Object.entries(routes).flatMap(([feature, table]) =>
  Object.entries<Route>(table).map(([name, route]): [string, Route] => [`${feature}_${name}`, route]),
)
const operationOf = ({ method, path }: Pick<Route, 'method' | 'path'>, { paths } = document) =>
  paths?.[`/api${path}`]?.[method.toLowerCase() as 'get' | 'post'] as unknown as Operation & { operationId: string }

test('the document is valid OpenAPI', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
  const { paths, ...withoutPaths } = document
  expect((await new Validator().validate({ ...withoutPaths, paths: { wrong: paths } } as never)).valid).toBe(false)
})

test('every route of the table is in the document once, even if two share a path', () => {
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods))
  const ids = operations.map(({ operationId }) => operationId)
  expect(ids.toSorted()).toEqual(['events', ...calls.map(([id]) => id)].toSorted())
  expect(Object.keys(document.paths?.['/api/colour/limits/'] ?? {})).toEqual(['get', 'post'])
})

test.each(calls)('%s is documented with all its fields, headers and errors', (id, route) => {
  const { operationId, parameters = [], security, requestBody, responses } = operationOf(route)
  expect(operationId).toBe(id)
  const names = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const fields = route.input instanceof z.ZodObject ? Object.keys(route.input.shape) : []
  const rest = fields.filter((name) => !inPath.includes(name))
  expect(names('path')).toEqual(inPath)
  expect(names('query')).toEqual(route.method === 'GET' ? rest : [])
  expect(names('header')).toEqual([...(route.changes ? ['Idempotency-Key'] : []), ...(route.proof ? ['DPoP'] : [])])
  const inHeader = [{ Token: [] }, { DPoP: [] }]
  const signedIn = route.tokenInBody ? [{}, ...inHeader] : inHeader
  expect(security).toEqual(route.auth === 'user' ? signedIn : undefined)
  const body = requestBody?.content['application/json'].schema
  expect(Object.keys(body?.properties ?? {})).toEqual(route.method === 'POST' ? rest : [])
  const documented = Object.entries(responses).flatMap(([status, { content }]) =>
    status === '200' ? [] : codesIn(content).map((code) => `${status} ${code}`),
  )
  const wanted = route.errors.map((code) => `${statusByCode[code]} ${code}`)
  expect(documented).toEqual(expect.arrayContaining(wanted))
  expect(documented.includes('401 unauthenticated')).toBe(route.auth === 'user')
})

const codesIn = (content: Operation['responses'][string]['content']): string[] =>
  content['application/json'].schema.allOf.flatMap((part) => {
    const { code } = (part.properties ?? {}) as { code?: { enum: string[] } }
    return code?.enum ?? []
  })

test('requests and replies are described as they are on the wire', () => {
  const own = openApi({
    sample: {
      read: route({
        method: 'GET',
        path: '/sample/{id}/',
        summary: 'A sample <b>',
        auth: 'none',
        input: z.strictObject({ id: z.string(), page_no: z.int().default(1), day: z.iso.date() }),
        output: success({ at: z.codec(z.iso.datetime(), z.date(), { decode: () => new Date(0), encode: String }) }),
      }),
    },
  })
  const { parameters, responses } = operationOf({ method: 'GET', path: '/sample/{id}/' }, own)
  expect(parameters?.map(({ name, required = false, schema }) => [name, required, schema.type])).toEqual([
    ['id', true, 'string'],
    ['page_no', false, 'integer'],
    ['day', true, 'string'],
  ])
  const reply = (responses['200'] as unknown as Json).content['application/json'].schema
  expect(reply.properties?.['at']).toMatchObject({ type: 'string', format: 'date-time' })
  expect(docsPage(own)).toContain('A sample &#60;b&#62;')
})

test('the page shows every call with its parameters and errors, without inline script or style', () => {
  const html = docsPage(document)
  for (const [, { method, path }] of calls)
    expect(html).toContain(`<b class="${method.toLowerCase()}">${method}</b> <code>/api${path}</code>`)
  expect(html).toContain('<li>page_no (query, optional)</li>')
  expect(html).toContain('<li>DPoP (header, optional): ')
  expect(html).toMatch(/<li>401: [^<]*proof_required/)
  expect(html.match(/<script[\s\S]*?<\/script>/g)).toEqual(['<script src="/api/docs/try.js"></script>'])
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/)
})

test('only calls that change nothing can be tried on the page', () => {
  const html = docsPage(document)
  for (const [id, { method, path, changes }] of calls) {
    const [, section = ''] = html.split(`<b class="${method.toLowerCase()}">${method}</b> <code>/api${path}</code>`)
    const own = section.split('</details>')[0] ?? ''
    expect(own.includes('<form'), id).toBe(!changes)
    expect(own.includes('Idempotency-Key: $(uuidgen)'), id).toBe(changes)
  }
})
