import { AppError } from '../../protocol/errors.ts'

/**
 * JSON for requests. A number whose own text is not how JavaScript writes it (1e3, 1.50, 0.1000000000000000055)
 * arrives as that text, so that the amount grammar judges what was sent and not what a double made of it (R4).
 */
export function parseJsonBody(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text, ((key: string, value: unknown, context: { source?: string }) => {
      if (key === '__proto__') throw new SyntaxError('forbidden key')
      return typeof value === 'number' && context.source !== String(value) ? context.source : value
    }) as (key: string, value: unknown) => unknown)
  } catch {
    throw new AppError('bad_json', 'The request is not valid JSON')
  }
}
