import type { z } from 'zod'

/** What people call a field whose own name would not be understood. */
const fieldNames: Record<string, string> = {
  page_no: 'page number',
  pageno: 'page number',
  to_user: 'recipient',
  user_name: 'username',
  trans_hash: 'transaction hash',
  usdt_amount: 'amount',
  aim: 'aim of the shot',
  at_ms: 'time of the shot',
  color: 'colour',
}

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/**
 * The message for a value that a schema refuses without a message of its own. Pass it to `safeParse` as `error`. zod's
 * own messages are written for developers and must not reach users.
 */
export function fieldWords(issue: z.core.$ZodRawIssue): string {
  const name = nameOf(issue.path ?? [])
  if (issue.code === 'unrecognized_keys') return 'This call does not have such a field'
  if (issue.input === undefined) return `${name} is missing`
  if (issue.code === 'invalid_type') return `${name} must be ${typeNames[issue.expected] ?? 'valid'}`
  if (issue.code === 'invalid_value') return `${name} must be ${issue.values.map(String).join(' or ')}`
  if (issue.code === 'too_small') return `${name} must ${limitText(issue.origin, 'at least', issue.minimum)}`
  if (issue.code === 'too_big') return `${name} must ${limitText(issue.origin, 'at most', issue.maximum)}`
  return `${name} is not valid`
}

const limitText = (origin: string, word: string, limit: number | bigint): string => {
  const units: Record<string, string> = { string: 'characters', array: 'entries' }
  const unit = units[origin]
  return unit ? `have ${word} ${limit} ${unit}` : `be ${word} ${limit}`
}

/** The name of the field, not of the place inside a list: `days.3.steps` is 'Steps'. */
function nameOf(path: readonly PropertyKey[]): string {
  const field = path.findLast((part) => typeof part === 'string') ?? 'request'
  const name = fieldNames[field] ?? field.replaceAll('_', ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}
