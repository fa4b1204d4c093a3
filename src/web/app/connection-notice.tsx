import { Hourglass, WifiOff } from 'lucide-react'
import { durationText } from '../../ui/format.ts'
import { type Connection, useConnection } from '../shared/api/connection.ts'
import { queries } from '../shared/api/queries.tsx'
import { useNow } from '../shared/page/use-now.ts'

/** Says that there is no connection, or a slow one, and how old the figures on the page are. It moves nothing. */
export function ConnectionNotice() {
  const connection = useConnection()
  return connection === 'online' ? null : <Notice connection={connection} />
}

function Notice({ connection }: { connection: Exclude<Connection, 'online'> }) {
  const oldest = oldestShown()
  const seconds = Math.max(0, Math.floor((useNow(1_000) - (oldest ?? 0)) / 1_000))
  const Icon = connection === 'offline' ? WifiOff : Hourglass
  return (
    <div className="pointer-events-none fixed inset-x-3 bottom-[max(5.5rem,env(safe-area-inset-bottom))] z-40 grid wide:bottom-6 justify-items-center">
      <p
        role="status"
        className="flex max-w-xl animate-rise items-center gap-3 rounded-[20px] bg-panel px-5 py-3 text-on-panel text-sm shadow-lift"
      >
        <Icon size={18} aria-hidden="true" className="shrink-0 text-lime" />
        <span>
          <strong>{connection === 'offline' ? "You're offline." : 'Your connection is slow.'}</strong>{' '}
          {oldest === undefined
            ? emptyWords[connection]
            : `These are the last known figures, up to ${durationText(seconds)} old.`}
        </span>
      </p>
    </div>
  )
}

const emptyWords = {
  offline: "This page loads when you're back online. Nothing is lost.",
  slow: 'This page is still loading.',
}

/** When the oldest figure on the page was received. */
function oldestShown(): number | undefined {
  const times = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ state }) => state.data !== undefined })
    .map(({ state }) => state.dataUpdatedAt)
  return times.length > 0 ? Math.min(...times) : undefined
}
