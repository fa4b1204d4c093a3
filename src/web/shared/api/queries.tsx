import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'

/** One cache for the whole app. It is not part of the landing page, which reads nothing through it. */
export const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000 } } })

export const WithQueries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queries}>{children}</QueryClientProvider>
)
