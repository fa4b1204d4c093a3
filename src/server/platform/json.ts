import { AppError } from '../../protocol/errors.ts'

/**
 * JSON for requests. A number whose own text is not how JavaScript writes it (1e3, 1.50, 0.1000000000000000055)
 * arrives as that text, so that the amount grammar judges what was sent and not what a double made of it (R4).
 */
export function parseJsonBody(text: string): unknown {
  if (text === '') return {}
  try {
    return needsCare.test(text)
      ? JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown)
      : JSON.parse(text)
  } catch {
    throw new AppError('bad_json', 'The request is not valid JSON')
  }
}

/** A number somewhere, an escape, or the forbidden key; without them the plain and much faster way reads the same. */
const needsCare = /[:,[]\s*-?\d|\\|__proto__/

function keepNumbers(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') throw new SyntaxError('forbidden key')
  return typeof value === 'number' && context.source !== String(value) ? context.source : value
}
