import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brand } from '../../protocol/brand.ts'
import type { Routes } from '../../protocol/route.ts'
import { escapeHtml, tryOut } from './docs-try-out.ts'
import type { Http } from './http.ts'
import { type OpenApiDocument, openApi } from './openapi.ts'

export type Operation = NonNullable<NonNullable<OpenApiDocument['paths']>[string]['get']>
export type Call = { path: string; method: string; operation: Operation }

/**
 * The page /api/docs and the OpenAPI document, both generated from the route table. Only trying a call needs a script.
 * Colours and fonts are those of the app.
 */
export function mountDocs(http: Http, routes: Record<string, Routes>): void {
  const document = openApi(routes)
  const limited = { config: { limit: 'read' } } as const
  const files = {
    '': { type: 'text/html; charset=utf-8', body: docsPage(document) },
    '/style.css': { type: 'text/css', body: colours() + read('docs/page.css').toString() },
    '/try.js': { type: 'text/javascript', body: read('docs/try.js').toString() },
    '/figtree.woff2': { type: 'font/woff2', body: read('../../ui/fonts/figtree.woff2') },
    '/bricolage.woff2': { type: 'font/woff2', body: read('../../ui/fonts/bricolage.woff2') },
  }
  for (const [name, { type, body }] of Object.entries(files))
    http.get(`/api/docs${name}`, limited, async (_request, reply) => reply.type(type).send(body))
  http.get('/api/docs/openapi.json', limited, async (_request, reply) => reply.send(document))
}

const read = (path: string): Buffer => readFileSync(join(import.meta.dirname, path))

/** The rules of the app's style sheet that define colours, for both themes. */
function colours(): string {
  const rules = read('../../ui/tokens.css')
    .toString()
    .match(/^:root[^{]*\{[^}]*\}/gm)
  if (!rules) throw new Error('The style sheet of the app defines no colours')
  return rules.join('\n')
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
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/api/docs/style.css"></head><body>
<header class="top"><img src="/icon.svg" width="36" height="36" alt=""><a href="/">${brand.name}</a></header><main>
<h1>${brand.name} API</h1>
<p>Requests and replies are JSON. Money is a decimal string. Calls marked “signed in” need the token, in the
<code>Token</code> header or as <code>Authorization: DPoP</code>. If the session was opened with a
<code>proof_key</code>, calls that change something also need a proof in the <code>DPoP</code> header (RFC 9449, ES256).
They accept an <code>Idempotency-Key</code> header. A proof can include the claim <code>body</code>, the base64url
SHA-256 of the request body; if it is there, it is checked.
All errors have the same shape: <code>{status, Msg, message, code, field?, request_id}</code>.
Machine-readable: <a href="/api/docs/openapi.json">openapi.json</a>.</p>
<p>You can try calls that only read. If you are signed in to the app in this browser, they use your session.</p>
<nav aria-label="Features">${features.map(([feature]) => `<a href="#${feature}">${feature}</a>`).join(' ')}</nav>${sections.join('')}</main>
<script src="/api/docs/try.js"></script></body></html>`
}

function callHtml(call: Call): string {
  const { path, method, operation } = call
  const { summary = '', security, parameters, requestBody, responses } = operation
  const needsToken = security?.every((scheme) => Object.keys(scheme).length > 0)
  const { 200: success, ...failures } = (responses ?? {}) as Record<string, { description?: string; content?: object }>
  const errors = Object.entries(failures).map(([status, { description = '' }]) => `${status}: ${description}`)
  return `<details><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>
<span>${escapeHtml(summary)}${needsToken ? ' · signed in' : ''}</span></summary><div>
${tryOut(call)}
${listHtml('Parameters', (parameters ?? []).map(parameterText))}
${requestBody ? `<h3>Request</h3>${schemaHtml(requestBody)}` : ''}
<h3>Reply</h3>${schemaHtml(success)}
${listHtml('Errors', errors)}
</div></details>`
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
  return `<pre tabindex="0">${escapeHtml(bodies.join('\n'))}</pre>`
}
