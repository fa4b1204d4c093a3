import { hash } from 'node:crypto'
import type { Db, Tx } from '../../platform/db.ts'

/** A word that looks like a session token: 32 bytes in base64url. */
const TOKEN_LIKE = /(?<![\w-])[\w-]{43}(?![\w-])/g
/** Contains spaces, so that no id, key or hash with a token in it is valid any more. */
const HIDDEN = '[hidden session token]'
/** No schema is nested deeper, so a deeper text is never stored. */
const DEPTH_MAX = 6

/**
 * Replaces session tokens in all texts of a value, however deep. Users may paste their own token anywhere, and a token
 * must never be stored (R24, invariant 24). Ended sessions count too, so a repeated request is changed the same way.
 */
export async function hideTokens<Value>(db: Db | Tx, value: Value): Promise<Value> {
  const words = new Set<string>()
  mapTexts(value, (text) => {
    for (const [word] of text.matchAll(TOKEN_LIKE)) words.add(word)
    return text
  })
  const tokens = await findTokens(db, [...words])
  if (tokens.size === 0) return value
  return mapTexts(value, (text) => text.replace(TOKEN_LIKE, (word) => (tokens.has(word) ? HIDDEN : word)))
}

async function findTokens(db: Db | Tx, words: string[]): Promise<Set<string>> {
  if (words.length === 0) return new Set()
  const byHash = new Map(words.map((word) => [hash('sha256', word), word]))
  const rows = await db
    .selectFrom('sessions')
    .select('token_hash')
    .where(
      'token_hash',
      'in',
      [...byHash.keys()].map((hex) => Buffer.from(hex, 'hex')),
    )
    .execute()
  return new Set(rows.map(({ token_hash }) => byHash.get(token_hash.toString('hex')) ?? ''))
}

function mapTexts<Value>(value: Value, change: (text: string) => string, depth = 0): Value {
  if (typeof value === 'string') return change(value) as Value
  if (value === null || typeof value !== 'object' || depth === DEPTH_MAX) return value
  const inner = (item: unknown) => mapTexts(item, change, depth + 1)
  if (Array.isArray(value)) return value.map(inner) as Value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)])) as Value
}
