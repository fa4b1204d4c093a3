import { z } from 'zod'
import { createKeptPayments, paymentFields } from '../shared/payments/kept-payments.ts'

const purchase = z.object({ ...paymentFields, package_type: z.int() })
/** A plan paid on chain that is not active yet. */
export type Purchase = z.output<typeof purchase>

export const keptPurchases = createKeptPayments<Purchase>('purchases', purchase)
