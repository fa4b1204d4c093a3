import { isIPv4, isIPv6 } from 'node:net'

const IPV6_GROUPS = 8
const GROUPS_IN_64_BITS = 4

/**
 * The part of an address that one subscriber cannot change at will: all of an IPv4 address, the first 64 bits of an IPv6
 * address. An IPv4 address in IPv6 notation (::ffff:192.0.2.1) is the same as the IPv4 address.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return address
  const [head = [], tail = []] = address
    .toLowerCase()
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(IPV6_GROUPS - head.length - tail.length).fill('0')
  const groups = [...head, ...zeros, ...tail].map((group) => group.replace(/^0+(?=\w)/, ''))
  return `${groups.slice(0, GROUPS_IN_64_BITS).join(':')}::/64`
}

/** Whether the text is an IP address, or a range of addresses in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const bitsMax = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
  if (bitsMax < 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax)
}
