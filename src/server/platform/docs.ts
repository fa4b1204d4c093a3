import { z } from 'zod'
import { brand } from '../../protocol/brand.ts'
import { statusByCode } from '../../protocol/errors.ts'
import type { Route, Routes } from '../../protocol/route.ts'
import type { Http } from './http.ts'

type Operation = ReturnType<typeof operation>

/** The API's page at /api/docs and its OpenAPI document, both made from the route table. The page needs no script. */
export function mountDocs(http: Http, routes: Record<string, Routes>): void {
  const document = openApi(routes)
  const html = docsPage(document.paths)
  http.get('/api/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(html))
  http.get('/api/docs/style.css', async (_request, reply) => reply.type('text/css').send(STYLE))
  http.get('/api/docs/openapi.json', async (_request, reply) => reply.send(document))
}

function openApi(routes: Record<string, Routes>) {
  const paths: Record<string, Record<string, Operation>> = {}
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
  const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const statuses = [...new Set(route.errors.map((code) => statusByCode[code]))]
  const failures = statuses.map((status) => {
    const codes = route.errors.filter((code) => statusByCode[code] === status)
    return [status, { description: codes.join(', ') }] as const
  })
  return {
    tags: [feature],
    summary: route.summary,
    parameters,
    ...(route.auth === 'user' && { security: [{ Token: [] }] }),
    ...(route.method === 'POST' && { requestBody: jsonContent(route.input) }),
    responses: {
      200: { description: 'Success', ...jsonContent(route.output) },
      ...Object.fromEntries(failures),
    } as Record<string, { description: string; content?: unknown }>,
  }
}

const jsonContent = (schema: z.ZodType) => ({
  content: { 'application/json': { schema: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) } },
})

function docsPage(paths: Record<string, Record<string, Operation>>): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method, call })),
  )
  const features = [...new Set(calls.map(({ call }) => call.tags[0] ?? ''))]
  const sections = features.map((feature) => {
    const own = calls.filter(({ call }) => call.tags[0] === feature)
    return `<section><h2 id="${feature}">${feature}</h2>${own.map(callHtml).join('')}</section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${brand.name} API</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/api/docs/style.css"></head><body><main>
<h1>${brand.name} API</h1>
<p>JSON in, JSON out. Money is a decimal string. Signed-in calls carry the header <code>Token</code>; calls that change
something also carry a <code>DPoP</code> proof (RFC 9449) if the session is bound to a key, and may carry <code>Idempotency-Key</code>.
Errors have one shape: <code>{status, Msg, message, code, field?, request_id}</code>.
For programs: <a href="/api/docs/openapi.json">openapi.json</a>.</p>
<nav>${features.map((feature) => `<a href="#${feature}">${feature}</a>`).join(' ')}</nav>${sections.join('')}</main></body></html>`
}

function callHtml({ path, method, call }: { path: string; method: string; call: Operation }): string {
  const errors = Object.entries(call.responses).filter(([status]) => status !== '200')
  return `<details><summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>
<span>${escapeHtml(call.summary)}${call.security ? ' · signed in' : ''}</span></summary>
${call.requestBody ? `<h3>Request</h3>${schemaHtml(call.requestBody)}` : ''}
<h3>Reply</h3>${schemaHtml(call.responses['200'])}
${errors.length > 0 ? `<h3>Errors</h3><ul>${errors.map(([status, { description }]) => `<li>${status}: ${description}</li>`).join('')}</ul>` : ''}
</details>`
}

const schemaHtml = (part: unknown): string => {
  const { content } = part as { content: { 'application/json': { schema: object } } }
  const { $schema, ...schema } = content['application/json'].schema as Record<string, unknown>
  return `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}
main{max-width:60rem;margin:auto;padding:2rem 1.25rem}h1{margin:0}h2{margin:2.5rem 0 .5rem;text-transform:capitalize}
h3{margin:1rem 0 .25rem;font-size:.9rem}nav{display:flex;flex-wrap:wrap;gap:.75rem}a{color:light-dark(#14764f,#c8f169)}
details{border-bottom:1px solid light-dark(#e3e0d5,#25382f);padding:.6rem 0}summary{cursor:pointer}
summary b{display:inline-block;width:3.2rem}summary span{display:block;padding-left:3.5rem;opacity:.75}
pre{overflow:auto;background:light-dark(#f7f6f1,#101b17);padding:1rem;border-radius:12px;font-size:.8rem;max-height:24rem}`
