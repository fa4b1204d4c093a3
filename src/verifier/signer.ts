import { fromHex, toHex } from './bytes.ts'
import { keccak256 } from './keccak.ts'

/**
 * Recovers the address that signed a digest (secp256k1 as Ethereum uses it). Written for readers. It handles public
 * values only, so it need not run in constant time.
 */
export function recoverSigner(digest: Uint8Array, signature: string): string | undefined {
  const [, r = '', s = '', v = ''] = /^0x([0-9a-f]{64})([0-9a-f]{64})(1b|1c)$/.exec(signature) ?? []
  const [x, scalar] = [BigInt(`0x${r || 0}`), BigInt(`0x${s || 0}`)]
  // Two values of s are valid. Only the lower one is accepted, so that a signature has exactly one form.
  if (x === 0n || x >= ORDER || scalar === 0n || scalar > ORDER / 2n) return undefined
  const y = rootOfCurve(x, v === '1c')
  if (y === undefined) return undefined
  const inverse = invert(x, ORDER)
  const message = BigInt(`0x${toHex(digest)}`)
  const key = plus(
    times({ x, y }, modulo(scalar * inverse, ORDER)),
    times(GENERATOR, modulo(-message * inverse, ORDER)),
  )
  return key && addressOf(key)
}

type Point = { x: bigint; y: bigint }

const PRIME = 2n ** 256n - 2n ** 32n - 977n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const GENERATOR: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
}

/** The last twenty bytes of the hash of the public key. */
function addressOf({ x, y }: Point): string {
  const key = fromHex(x.toString(16).padStart(64, '0') + y.toString(16).padStart(64, '0'))
  return `0x${toHex(keccak256(key).subarray(12))}`
}

/** The odd or even y of the point with this x on the curve y² = x³ + 7. */
function rootOfCurve(x: bigint, isOdd: boolean): bigint | undefined {
  const square = modulo(x ** 3n + 7n, PRIME)
  const root = power(square, (PRIME + 1n) / 4n)
  if (modulo(root * root, PRIME) !== square) return undefined
  return (root & 1n) === (isOdd ? 1n : 0n) ? root : PRIME - root
}

function plus(a: Point | undefined, b: Point | undefined): Point | undefined {
  if (!a || !b) return a ?? b
  if (a.x === b.x && a.y !== b.y) return undefined
  const slope =
    a.x === b.x ? 3n * a.x * a.x * invert(2n * a.y, PRIME) : (b.y - a.y) * invert(modulo(b.x - a.x, PRIME), PRIME)
  const x = modulo(slope * slope - a.x - b.x, PRIME)
  return { x, y: modulo(slope * (a.x - x) - a.y, PRIME) }
}

function times(point: Point, scalar: bigint): Point | undefined {
  let [sum, doubled]: [Point | undefined, Point | undefined] = [undefined, point]
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = plus(sum, doubled)
    doubled = plus(doubled, doubled)
  }
  return sum
}

const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, base]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % PRIME
    factor = (factor * factor) % PRIME
  }
  return result
}

/** The modular inverse, by the extended Euclidean algorithm. */
function invert(value: bigint, by: bigint): bigint {
  let [a, b, x, y] = [modulo(value, by), by, 1n, 0n]
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x]
  return modulo(x, by)
}
