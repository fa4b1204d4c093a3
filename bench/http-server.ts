import { post } from '../src/server/ledger/post.ts'
import type { Ledger } from '../src/server/ledger/submit.ts'
import { readConfig } from '../src/server/platform/config.ts'
import { transaction } from '../src/server/platform/db.ts'
import { createApi, createApiContext } from '../src/server/processes/api.ts'

/** The real API. In `plain` mode only the ledger differs: it opens one transaction per request. */
const mode = process.argv[2]
const { context } = createApiContext(readConfig(), 'bench')

const plain: Ledger = {
  ...context.ledger,
  submit: (posting, rows = []) =>
    transaction(context.db, async (tx) => {
      const posted = await post(tx, posting)
      for (const { table, values } of posted.repeated ? [] : rows)
        await tx
          .insertInto(table)
          .values(values as never)
          .execute()
      return posted.repeated ? posted : { repeated: false, reply: posting.reply ?? null }
    }),
}

const http = await createApi(mode === 'plain' ? { ...context, ledger: plain } : context)
await http.listen({ port: context.config.port, host: '127.0.0.1' })
setInterval(() => process.send?.(process.memoryUsage.rss()), 500)
process.send?.('ready')
