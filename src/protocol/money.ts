import { z } from 'zod'
import { AppError } from './errors.ts'
import { amountRefusals } from './rules.ts'

/** Whole micro-USDT. `a + b` gives a plain bigint, so the compiler makes you use `add`. */
export type Usdt = bigint & { readonly __unit: 'micro-usdt' }

const DECIMALS = 6
const MICRO = 10n ** BigInt(DECIMALS)
/** USDT has 18 decimals on chain. */
export const WEI_PER_MICRO = 10n ** BigInt(18 - DECIMALS)
const GRAMMAR = /^(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?$/

export const micro = (units: bigint): Usdt => units as Usdt
export const ZERO = micro(0n)

/** Parses an amount by the amount grammar (R4). Anything else is refused, never rounded. Zero is allowed here. */
export function parseUsdt(text: string, field?: string): Usdt {
  if (!GRAMMAR.test(text)) throw new AppError(...complaint(text), field)
  const [whole = '0', fraction = ''] = text.split('.')
  return micro(BigInt(whole) * MICRO + BigInt(fraction.padEnd(DECIMALS, '0')))
}

function complaint(text: string): ['amount_precision' | 'amount_format', string] {
  if (text === '') return [amountRefusals.missing.code, amountRefusals.missing.message]
  if (/^(0|[1-9][0-9]{0,11})\.[0-9]{7,}$/.test(text)) return ['amount_precision', 'At most 6 decimals are allowed']
  return ['amount_format', 'Enter an amount such as 12.5, below 1,000,000,000,000']
}

/** The shortest exact decimal text: "12.5", "-0.000001", "0". */
export function formatUsdt(amount: Usdt): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, '0')
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction && `.${fraction}`}`
}

export const add = (...amounts: Usdt[]): Usdt => micro(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n))
export const subtract = (a: Usdt, b: Usdt): Usdt => micro(a - b)
export const smaller = (a: Usdt, b: Usdt): Usdt => (a < b ? a : b)
export const larger = (a: Usdt, b: Usdt): Usdt => (a > b ? a : b)

/** `parts` of `whole`, rounded down: portion(amount, 5n, 100n) is five percent. */
export const portion = (amount: Usdt, parts: bigint, whole: bigint): Usdt => micro((amount * parts) / whole)

/** One `divisor`-th, rounded down, and the rest. The two always sum to the whole amount. */
export function split(amount: Usdt, divisor: bigint): { part: Usdt; rest: Usdt } {
  const part = micro(amount / divisor)
  return { part, rest: subtract(amount, part) }
}

const readAmount = (value: string | number, context: z.core.ParsePayload): Usdt => {
  try {
    return parseUsdt(String(value))
  } catch (error) {
    const { code, message } = error as AppError
    context.issues.push({ code: 'custom', input: value, message, params: { code } })
    return z.NEVER
  }
}

/** An amount in a reply: a decimal string on the wire, with a minus sign if it is negative. Zero is allowed. */
export const usdt = z.codec(
  z.string(),
  z.custom<Usdt>((value) => typeof value === 'bigint'),
  {
    decode: (text) => (text.startsWith('-') ? micro(-parseUsdt(text.slice(1))) : parseUsdt(text)),
    encode: formatUsdt,
  },
)

const written = z
  .union([z.string(), z.number()], amountRefusals.missing.message)
  .meta({ description: 'USDT, e.g. "12.5"' })

/** An amount to move, in a request: a decimal string or a JSON number, above zero. */
export const usdtInput = z.codec(
  written,
  z.custom<Usdt>((value) => typeof value === 'bigint' && value > 0n, {
    message: amountRefusals.zero.message,
    params: { code: amountRefusals.zero.code },
  }),
  { decode: readAmount, encode: formatUsdt },
)

/** A fee in a request, or what a user gives up: it may be zero. */
export const feeInput = z.codec(
  written,
  z.custom<Usdt>((value) => typeof value === 'bigint'),
  { decode: readAmount, encode: formatUsdt },
)
