import { AppError } from '../../protocol/errors.ts'
import { market } from '../../protocol/market.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { createChain } from '../chain/client.ts'
import { type PairPrice, readPairPrice } from '../chain/pair.ts'
import type { MarketConfig } from '../platform/config.ts'
import { mountHealth, startMonitoring } from '../platform/health.ts'
import { createHttp, mountRoute } from '../platform/http.ts'
import { createLog } from '../platform/log.ts'
import { startLoops } from '../platform/loops.ts'
import { startTracing } from '../platform/tracing.ts'
import { stoppingCheck } from './readiness.ts'

const READ_EVERY_MS = 3_000
/** A price older than this is still returned, but marked as stale. */
const STALE_SECONDS = 60

/** The market price service. It has no keys and no database: when it is down, only the price is missing. */
export async function startMarket(config: MarketConfig) {
  const tracing = await startTracing(config.collectorUrl, 'market')
  const log = createLog(config.logLevel, 'market')
  const chain = createChain(config.chain)
  let last: (PairPrice & { readAt: Date }) | undefined
  const read = async () => {
    last = { ...(await readPairPrice(chain)), readAt: new Date() }
  }
  const loop = startLoops([{ name: 'read-price', restMs: READ_EVERY_MS, run: read }], log)

  async function price(): Promise<OutputOf<typeof market.price>> {
    if (!last)
      throw new AppError(
        'chain_unavailable',
        'The price of JW is unknown: the chain node is not responding',
        undefined,
        5,
      )
    const age_seconds = Math.max(0, Math.floor((Date.now() - last.readAt.getTime()) / 1000))
    return {
      status: 'success',
      Msg: 'Price of JW in USDT',
      Current_Jw_MKT_Price: last.price,
      block: Number(last.block),
      read_at: last.readAt,
      age_seconds,
      stale: age_seconds > STALE_SECONDS,
    }
  }

  const http = await createHttp(log, { secure: false })
  const checks = [stoppingCheck(() => http.draining.isOn)]
  const monitoring = await startMonitoring(log, { address: config.metrics, checks })
  mountHealth(http, checks)
  mountRoute(http, market.price, price, { prefix: '' })
  await http.listen({ port: config.port, host: config.host })
  return {
    async stop(): Promise<void> {
      http.draining.isOn = true
      // The price that is being read is not needed any more. A silent node must not delay the end.
      void loop.stop()
      await http.close()
      await monitoring?.close()
      await tracing.stop()
    },
  }
}
