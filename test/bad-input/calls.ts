import type { Route } from '../../src/protocol/route.ts'
import { type Fields, goodBodies, nearlyGoodBodies } from './bodies.ts'

/** A generated call, and its fields as the server reads them. Without fields, the body is not an object. */
export type Call = { path: string; text: string | undefined; fields: Fields | undefined }

/** The schema accepts a call if its fields are good by chance, or if the schema is too wide. */
export const isAccepted = (route: Route, { fields }: Call): boolean =>
  fields !== undefined && route.input.safeParse(fields).success

/** Good calls, calls with one bad field, and random ones, each only once. `example` is a call that succeeds. */
export function generateCalls(route: Route, example: Fields | undefined, random: unknown[]): Call[] {
  const good = goodBodies(route, example)
  const calls = [
    ...[...good, ...nearlyGoodBodies(route, good)].flatMap((fields) =>
      callWith(route, fields, withoutPathFields(route, fields)),
    ),
    ...random.flatMap((body) => callWith(route, good[0] ?? {}, body)),
  ]
  return [...new Map(calls.map((call) => [`${call.path} ${call.text}`, call])).values()]
}

/** Sends the fields of `inPath` that the path names, and `rest` in the query or in the body. */
function callWith(route: Route, inPath: Fields, rest: unknown): Call[] {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const ids = names.map((name): [string, string] => [name, String(inPath[name] ?? '').toWellFormed()])
  // With an empty value, this would be the path of another route.
  if (ids.some(([, value]) => value === '')) return []
  const path = ids.reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), route.path)
  const isObject = typeof rest === 'object' && rest !== null && !Array.isArray(rest)
  if (route.method === 'POST') {
    const fields = isObject ? { ...rest, ...Object.fromEntries(ids) } : undefined
    return [{ path, text: JSON.stringify(rest), fields }]
  }
  if (!isObject) return []
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]))
  return [{ path: `${path}?${query}`, text: undefined, fields: Object.fromEntries([...query, ...ids]) }]
}

const withoutPathFields = (route: Route, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !route.path.includes(`{${name}}`)))
