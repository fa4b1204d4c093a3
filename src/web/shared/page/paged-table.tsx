import { type ReactNode, useRef, useState } from 'react'
import type { z } from 'zod'
import type { InputOf, OutputOf, Route } from '../../../protocol/route.ts'
import { type Column, Pager, Table } from '../../../ui/table.tsx'
import { useRead } from '../api/api.ts'
import { FailedRead } from './failed-read.tsx'

const ROWS_MAX = 20

export type PagedRoute = Route<z.ZodType, z.ZodType<{ page_no: number; total: number }>>

/** Rows are in `data`. Only the bets are in `history`, as the specification says. */
export type RowOf<R extends Route> =
  OutputOf<R> extends { data: (infer Row)[] } ? Row : OutputOf<R> extends { history: (infer Row)[] } ? Row : never

export type PagedTableProps<R extends PagedRoute> = {
  route: R
  caption: string
  columns: Column<RowOf<R>>[]
  rowKey: (row: RowOf<R>, index: number) => string
  empty: ReactNode
  stacked?: boolean
  /** The route's input for a page; only the paging unless there are filters, or the spec names a field differently. */
  inputFor?: (paging: { page_no: number; page_size: number }) => InputOf<R>
}

/** A list from the server, twenty rows per page. While a page loads, the previous one stays visible. */
export function PagedTable<R extends PagedRoute>({
  route,
  inputFor = (paging) => paging as InputOf<R>,
  ...table
}: PagedTableProps<R>) {
  const [page, setPage] = useState(1)
  const top = useRef<HTMLDivElement>(null)
  const read = useRead(route, inputFor({ page_no: page, page_size: ROWS_MAX }), { keepsPrevious: true })
  if (read.isLoadingError) return <FailedRead error={read.error} onRetry={read.refetch} />
  const lastPage = Math.max(1, Math.ceil((read.data?.total ?? 0) / ROWS_MAX))
  // The list became shorter: the page that was shown no longer exists.
  if (read.data && page > lastPage) setPage(lastPage)
  const turnTo = (next: number) => {
    setPage(next)
    top.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div ref={top} className="scroll-mt-24 max-sm:min-h-64">
      <div className={read.isPlaceholderData ? 'opacity-50' : ''} aria-busy={read.isPlaceholderData}>
        <Table {...table} rows={read.data ? rowsOf<R>(read.data) : []} loading={read.isPending} />
      </div>
      {lastPage > 1 && <Pager page={page} lastPage={lastPage} onPage={turnTo} />}
    </div>
  )
}

function rowsOf<R extends Route>(reply: OutputOf<R>): RowOf<R>[] {
  const { data, history } = reply as { data?: RowOf<R>[]; history?: RowOf<R>[] }
  return data ?? history ?? []
}
