import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isTopUpRow, plans } from '../../protocol/plans.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { ROWS_PER_PAGE, usePages } from '../../ui/table.tsx'
import { type CallError, call } from '../shared/api/api.ts'

type Page = OutputOf<typeof plans.history>

/**
 * Five re top ups per page. The server pages all purchases, fifty at a time, and the browser filters them. So it loads
 * more until it has one row beyond the current page or nothing is left: only then is the last page known.
 */
export function useTopUpHistory() {
  const query = useInfiniteQuery<Page, CallError, InfiniteData<Page, number>, string[], number>({
    queryKey: [plans.history.path],
    queryFn: ({ pageParam }) => call(plans.history, { pageno: pageParam }),
    initialPageParam: 1,
    retry: (failures, error) => failures < 2 && ['unavailable', 'internal'].includes(error.code),
    getNextPageParam: ({ page_no, page_size, total }) => (page_no * page_size < total ? page_no + 1 : undefined),
  })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const all = (data?.pages ?? []).flatMap((page) => page.data).filter(isTopUpRow)
  const pages = usePages(all)
  const isShort = hasNextPage && all.length <= pages.page * ROWS_PER_PAGE

  useEffect(() => {
    if (isShort && !isFetchingNextPage && !error) void fetchNextPage()
  }, [isShort, isFetchingNextPage, error, fetchNextPage])

  return { ...pages, isPending: query.isPending || isShort, error, refetch }
}
