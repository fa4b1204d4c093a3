import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { z } from 'zod'
import { brand } from '../../protocol/brand.ts'
import { statusByCode } from '../../protocol/errors.ts'
import type { Route, Routes } from '../../protocol/route.ts'
import type { Http } from './http.ts'

/** The OpenAPI page at /api/docs, made from the route table. */
export async function mountDocs(http: Http, routes: Record<string, Routes>): Promise<void> {
  await http.register(swagger, { mode: 'static', specification: { document: openApi(routes) as never } })
  await http.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: false })
}

export function openApi(routes: Record<string, Routes>) {
  const paths: Record<string, object> = {}
  for (const [feature, table] of Object.entries(routes))
    for (const route of Object.values(table))
      paths[`/api${route.path}`] = { [route.method.toLowerCase()]: operation(feature, route) }
  return {
    openapi: '3.1.0',
    info: { title: `${brand.name} API`, version: '1', description: brand.description },
    components: { securitySchemes: { Token: { type: 'apiKey', in: 'header', name: 'Token' } } },
    paths,
  }
}

function operation(feature: string, route: Route) {
  const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const failures = [...new Set(route.errors.map((code) => statusByCode[code]))].map((status) => [
    status,
    { description: route.errors.filter((code) => statusByCode[code] === status).join(', ') },
  ])
  return {
    tags: [feature],
    summary: route.summary,
    parameters,
    ...(route.auth === 'user' && { security: [{ Token: [] }] }),
    ...(route.method === 'POST' && {
      requestBody: { content: { 'application/json': { schema: schemaOf(route.input) } } },
    }),
    responses: {
      200: { description: 'Success', content: { 'application/json': { schema: schemaOf(route.output) } } },
      ...Object.fromEntries(failures),
    },
  }
}
