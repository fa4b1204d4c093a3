import { brand } from '../../protocol/brand.ts'
import type { Routes } from '../../protocol/route.ts'
import type { Http } from './http.ts'
import { type OpenApiDocument, openApi } from './openapi.ts'

type Operation = NonNullable<NonNullable<OpenApiDocument['paths']>[string]['get']>
type Call = { path: string; method: string; operation: Operation }

/** The page /api/docs and the OpenAPI document, both generated from the route table. The page needs no script. */
export function mountDocs(http: Http, routes: Record<string, Routes>): void {
  const document = openApi(routes)
  const html = docsPage(document)
  const limited = { config: { limit: 'read' } } as const
  http.get('/api/docs', limited, async (_request, reply) => reply.type('text/html; charset=utf-8').send(html))
  http.get('/api/docs/style.css', limited, async (_request, reply) => reply.type('text/css').send(STYLE))
  http.get('/api/docs/openapi.json', limited, async (_request, reply) => reply.send(document))
}

export function docsPage({ paths = {} }: OpenApiDocument): string {
  const calls: Call[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
  )
  const features = [...Map.groupBy(calls, ({ operation }) => operation.tags?.[0] ?? '')]
  const sections = features.map(
    ([feature, own]) => `<section><h2 id="${feature}">${feature}</h2>${own.map(callHtml).join('')}</section>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${brand.name} API</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/api/docs/style.css"></head><body><main>
<h1>${brand.name} API</h1>
<p>Requests and replies are JSON. Money is a decimal string. Calls marked “signed in” need the token, in the
<code>Token</code> header or as <code>Authorization: DPoP</code>. If the session was opened with a
<code>proof_key</code>, calls that change something also need a proof in the <code>DPoP</code> header (RFC 9449, ES256).
They accept an <code>Idempotency-Key</code> header. A proof can include the claim <code>body</code>, the base64url
SHA-256 of the request body; if it is there, it is checked.
All errors have the same shape: <code>{status, Msg, message, code, field?, request_id}</code>.
Machine-readable: <a href="/api/docs/openapi.json">openapi.json</a>.</p>
<nav>${features.map(([feature]) => `<a href="#${feature}">${feature}</a>`).join(' ')}</nav>${sections.join('')}</main></body></html>`
}

function callHtml({ path, method, operation }: Call): string {
  const { summary = '', security, parameters, requestBody, responses } = operation
  const needsToken = security?.every((scheme) => Object.keys(scheme).length > 0)
  const { 200: success, ...failures } = (responses ?? {}) as Record<string, { description?: string; content?: object }>
  const errors = Object.entries(failures).map(([status, { description = '' }]) => `${status}: ${description}`)
  return `<details><summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>
<span>${escapeHtml(summary)}${needsToken ? ' · signed in' : ''}</span></summary>
${listHtml('Parameters', (parameters ?? []).map(parameterText))}
${requestBody ? `<h3>Request</h3>${schemaHtml(requestBody)}` : ''}
<h3>Reply</h3>${schemaHtml(success)}
${listHtml('Errors', errors)}
</details>`
}

function parameterText(parameter: NonNullable<Operation['parameters']>[number]): string {
  if ('$ref' in parameter) throw new Error('parameters must not be references')
  const { name, in: place, required, description } = parameter as Exclude<typeof parameter, { $ref: string }>
  return [`${name} (${place}${required ? '' : ', optional'})`, description].filter(Boolean).join(': ')
}

const listHtml = (title: string, lines: string[]): string =>
  lines.length > 0 ? `<h3>${title}</h3><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>` : ''

const schemaHtml = (part: unknown): string => {
  const { content } = part as { content: Record<string, { schema?: object }> }
  const bodies = Object.entries(content).map(([type, { schema }]) => (schema ? JSON.stringify(schema, null, 2) : type))
  return `<pre>${escapeHtml(bodies.join('\n'))}</pre>`
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}
main{max-width:60rem;margin:auto;padding:2rem 1.25rem}h1{margin:0}h2{margin:2.5rem 0 .5rem;text-transform:capitalize}
h3{margin:1rem 0 .25rem;font-size:.9rem}nav{display:flex;flex-wrap:wrap;gap:.75rem}a{color:light-dark(#14764f,#c8f169)}
details{border-bottom:1px solid light-dark(#e3e0d5,#25382f);padding:.6rem 0}summary{cursor:pointer}
summary b{display:inline-block;width:3.2rem}summary span{display:block;padding-left:3.5rem;opacity:.75}
pre{overflow:auto;background:light-dark(#f7f6f1,#101b17);padding:1rem;border-radius:12px;font-size:.8rem;max-height:24rem}`
