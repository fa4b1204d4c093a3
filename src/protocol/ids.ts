import { z } from 'zod'

/** An id is a UUIDv7 in code and `kind_` + UUIDv7 on the wire, so that a pasted id shows its kind. */
export type Id<Kind extends string> = string & { readonly __id: Kind }
export type UserId = Id<'user'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function id<Kind extends string>(kind: Kind) {
  const prefix = `${kind}_`
  const wire = z
    .string()
    .refine((text) => text.startsWith(prefix) && UUID.test(text.slice(prefix.length)), `Not a ${kind} id`)
  return z.codec(
    wire,
    z.custom<Id<Kind>>((value) => typeof value === 'string' && UUID.test(value)),
    {
      decode: (text) => text.slice(prefix.length) as Id<Kind>,
      encode: (value) => prefix + value,
    },
  )
}

export const userId = id('user')

/** An EVM address, converted to lower case when decoded, so that addresses can be compared as text. */
export type Address = `0x${string}`
export const address = z.codec(
  z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'Not a wallet address'),
  z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value)),
  { decode: (text) => text.toLowerCase() as Address, encode: (value) => value },
)
export const txHash = z.codec(
  z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'A transaction hash is 0x followed by 64 hex digits'),
  z.custom<`0x${string}`>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)),
  { decode: (text) => text.toLowerCase() as `0x${string}`, encode: (value) => value },
)
