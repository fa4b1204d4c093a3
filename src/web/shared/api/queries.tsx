import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'

/** One query cache for the whole app. The landing page does not use it, so it does not load it. */
export const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000 } } })

export const WithQueries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queries}>{children}</QueryClientProvider>
)
