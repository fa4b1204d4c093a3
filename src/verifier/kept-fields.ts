import { fromHex } from './bytes.ts'
import type { Sibling } from './merkle.ts'

/** Reads the fields of a JSON file that a user kept. A field that is missing or wrong gives a readable error. */
export type Json = Record<string, unknown>

export function objectOf(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`)
  return value as Json
}

export const listOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.map((row) => objectOf(row, 'A row')) : []
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
/** `user_0190…` is the UUID 0190… with its kind as a prefix. */
export function uuidOf(kind: string, value: unknown): string {
  const text = textOf(value)
  if (!text.startsWith(`${kind}_`)) throw new Error(`An id is not a ${kind} id`)
  return text.slice(kind.length + 1)
}

export function hexOf(value: unknown, bytes: number): Uint8Array {
  const text = textOf(value)
  if (text.length !== bytes * 2 || !/^[0-9a-f]*$/.test(text)) throw new Error('A hash or nonce is not valid')
  return fromHex(text)
}

/** Converts decimal USDT to whole micro-USDT, exactly. */
export function microOf(value: unknown): bigint {
  const [, whole, decimals = ''] = /^(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/.exec(textOf(value)) ?? []
  if (whole === undefined) throw new Error('An amount is not valid')
  return BigInt(whole + decimals.padEnd(6, '0'))
}

export function balancesOf(leaf: Json, names: readonly string[], count: string): bigint[] {
  const balances = listOf(leaf['balances'])
  if (balances.map(({ account }) => account).join() !== names.join())
    throw new Error(`The leaf does not have the ${count} balances in the right order`)
  return balances.map(({ amount }) => microOf(amount))
}

export function addressBytes(value: unknown): Uint8Array {
  if (!textOf(value).startsWith('0x')) throw new Error('An address is not valid')
  return hexOf(textOf(value).slice(2), 20)
}

export function siblingOf({ hash, sum, side }: Json): Sibling {
  if (side !== 'left' && side !== 'right') throw new Error('A step of the path has no side')
  return { hash: hexOf(hash, 32), sum: microOf(sum), side }
}
