import { z } from 'zod'
import { type Usdt, usdt } from '../../../protocol/money.ts'

export type Payment = { trans_hash: string; usdt_amount: Usdt }
export const paymentFields = { trans_hash: z.string(), usdt_amount: usdt }

/** Payments already sent, kept in local storage until the server has their hashes, in case the browser is closed. */
export function createKeptPayments<Sent extends Payment>(key: string, payment: z.ZodType<Sent>) {
  const list = z.array(payment)

  function read(): Sent[] {
    try {
      return z.decode(list, JSON.parse(localStorage.getItem(key) ?? '[]'))
    } catch {
      return []
    }
  }
  const write = (payments: Sent[]) => localStorage.setItem(key, JSON.stringify(z.encode(list, payments)))
  const without = (hash: string) => read().filter(({ trans_hash }) => trans_hash !== hash)

  return {
    read,
    remember: (sent: Sent) => write([...without(sent.trans_hash), sent]),
    forget: (hash: string) => write(without(hash)),
  }
}

export type KeptPayments<Sent extends Payment> = ReturnType<typeof createKeptPayments<Sent>>
