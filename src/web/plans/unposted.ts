import { z } from 'zod'
import { usdt } from '../../protocol/money.ts'

/** A payment already sent, kept in local storage until the server has its hash, in case the browser is closed. */
const unposted = z.object({ trans_hash: z.string(), usdt_amount: usdt, package_type: z.int() })
export type Unposted = z.output<typeof unposted>

const KEY = 'purchases'
const list = z.array(unposted)

export function readUnposted(): Unposted[] {
  try {
    return z.decode(list, JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  } catch {
    return []
  }
}

export function rememberUnposted(purchase: Unposted): void {
  write([...readUnposted().filter(({ trans_hash }) => trans_hash !== purchase.trans_hash), purchase])
}

export function forgetUnposted(hash: string): void {
  write(readUnposted().filter(({ trans_hash }) => trans_hash !== hash))
}

function write(purchases: Unposted[]): void {
  localStorage.setItem(KEY, JSON.stringify(z.encode(list, purchases)))
}
