import { onlineManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { notify } from '../../../ui/toast.tsx'
import { CallError } from './api.ts'

/** Shows the notice of a list that did not load, once for all lists that failed for the same reason. */
function showNotice(error: unknown): void {
  // Without a session the app goes to the registration page, so there is no list to talk about.
  if (!(error instanceof CallError) || error.code === 'unauthenticated' || !error.notice) return
  notify.error(error.notice, { id: error.notice })
}

// The manager assumes that a page is loaded online. This one may come from the service worker.
onlineManager.setOnline(navigator.onLine)

/** One query cache for the whole app. The landing page does not use it, so it does not load it. */
export const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000 } },
  queryCache: new QueryCache({ onError: showNotice }),
})

export const WithQueries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queries}>{children}</QueryClientProvider>
)
