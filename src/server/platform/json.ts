import { AppError } from '../../protocol/errors.ts'

/**
 * Parses the JSON of requests. A number that JavaScript would write differently (1e3, 1.50, 0.1000000000000000055) is
 * returned as text, so that the amount grammar checks what was sent and not its value as a double (R4).
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

/** Matches a number, an escape or the forbidden key. Without these, plain JSON.parse returns the same, much faster. */
const needsCare = /[:,[]\s*-?\d|\\|__proto__/

function keepNumbers(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') throw new SyntaxError('forbidden key')
  return typeof value === 'number' && context.source !== String(value) ? context.source : value
}
