import type { Call, Operation } from './docs.ts'

type Schema = {
  type?: string | string[]
  default?: unknown
  enum?: unknown[]
  const?: unknown
  minimum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * A form that sends the call, for calls that change nothing: a change needs a proof by the key of the session, and
 * nobody should move money by trying a page. Those have a command to copy. The script shows the form.
 */
export function tryOut({ path, method, operation }: Call): string {
  const body = bodyOf(operation)
  const example = body && JSON.stringify(exampleOf(body), null, 2)
  const parameters = parametersOf(operation)
  if (parameters.some(({ name }) => name === 'Idempotency-Key')) return commandHtml(path, example ?? '{}')
  if (isStream(operation)) return ''
  const fields = parameters
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, in: place, required }) => {
      const id = `${operation.operationId}-${name}`
      return `<label for="${id}">${name}<input id="${id}" name="${name}" data-in="${place}"${required ? ' required' : ''}></label>`
    })
  const id = `${operation.operationId}-body`
  const text = example
    ? `<label for="${id}">Body<textarea id="${id}" name="body" data-in="body" rows="${example.split('\n').length + 1}" spellcheck="false">${escapeHtml(example)}</textarea></label>`
    : ''
  return `<form hidden data-method="${method.toUpperCase()}" data-path="${escapeHtml(path)}"><h3>Try it</h3>
${fields.join('')}${text}<button>Send</button><pre role="status" tabindex="0" hidden></pre></form>`
}

function commandHtml(path: string, example: string): string {
  const lines = [
    `curl -X POST "$URL${path}"`,
    '-H "Token: $TOKEN"',
    '-H "Idempotency-Key: $(uuidgen)"',
    '-H "content-type: application/json"',
    `-d '${example}'`,
  ]
  return `<h3>Command</h3><p>This call changes something, so it cannot be tried here.</p>
<pre tabindex="0">${escapeHtml(lines.join(' \\\n  '))}</pre>`
}

type Parameter = { name: string; in: string; required?: boolean }
const parametersOf = ({ parameters = [] }: Operation) => parameters as unknown as Parameter[]

const isStream = ({ responses }: Operation): boolean =>
  'text/event-stream' in ((responses?.['200'] as { content?: object } | undefined)?.content ?? {})

function bodyOf({ requestBody }: Operation): Schema | undefined {
  const { content } = (requestBody ?? {}) as { content?: Record<string, { schema?: Schema }> }
  return content?.['application/json']?.schema
}

/** A value of the schema's shape, with only the required fields. The reader replaces the empty texts. */
function exampleOf(schema: Schema): unknown {
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return exampleOf(first)
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => schema.required?.includes(name))
        .map(([name, field]) => [name, exampleOf(field)]),
    )
  if (type === 'array') return schema.items ? [exampleOf(schema.items)] : []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  return type === 'boolean' ? false : ''
}
