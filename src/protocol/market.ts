import { z } from 'zod'
import { nothing, route, success } from './route.ts'
import { instant } from './time.ts'

/** The price of JW, from the market price service: a separate process that moves no money. */
export const market = {
  price: route({
    method: 'POST',
    path: '/update_market_price/',
    summary: 'The live rate of JW in USDT, read from the token pair on chain, with its age',
    auth: 'none',
    input: nothing,
    output: success({
      Current_Jw_MKT_Price: z.string(),
      block: z.int(),
      read_at: instant,
      age_seconds: z.int(),
      stale: z.boolean(),
    }),
    errors: ['chain_unavailable'],
  }),
}
