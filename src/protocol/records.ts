import { z } from 'zod'
import { route, success } from './route.ts'

/** Rows as the database stores them, by the name of their table. Amounts of money are in millionths of a USDT. */
const tables = z.record(z.string(), z.array(z.record(z.string(), z.unknown())))

/** Where to continue: after the row of this part with this key. An empty key is before the first row. */
const cursor = z.strictObject({ part: z.string().max(100), after: z.array(z.string().max(200)).max(5) })

export const records = {
  list: route({
    method: 'POST',
    path: '/records/',
    summary: 'Everything stored about you, table by table. Pass `next` as `from` to get the rest',
    auth: 'user',
    input: z.strictObject({ from: cursor.optional() }),
    output: success({
      data: tables,
      /** Tables with rows about you of which all or a part is not in the export, and why. */
      withheld: z.record(z.string(), z.string()),
      next: cursor.nullable(),
    }),
    errors: ['not_found'],
  }),
}
